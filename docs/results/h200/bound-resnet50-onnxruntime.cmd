strobe throughput zoo:resnet50 --device cuda --max-latency 10ms --effort quick
exit 0 after 97 s
