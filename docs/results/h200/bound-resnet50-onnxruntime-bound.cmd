strobe throughput zoo:resnet50 --device cuda --max-latency 10ms --batches 64 --in-flight 1 --effort quick
exit 0 after 15 s
