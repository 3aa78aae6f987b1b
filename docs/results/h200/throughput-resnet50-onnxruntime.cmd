strobe throughput zoo:resnet50 --device cuda --effort quick
exit 0 after 109 s
