strobe throughput zoo:resnet50 --device cuda --max-latency 10ms --batches 68 --in-flight 1 --effort quick
exit 0 after 3 s
