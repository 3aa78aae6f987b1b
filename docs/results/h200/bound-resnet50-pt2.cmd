strobe throughput resnet50-4096.pt2 --device cuda --max-latency 10ms --effort quick
exit 0 after 90 s
