strobe throughput resnet50-4096.pt2 --device cuda --max-latency 10ms --batches 100 --in-flight 1 --effort quick
exit 0 after 22 s
