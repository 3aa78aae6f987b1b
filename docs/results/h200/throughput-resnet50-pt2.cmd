strobe throughput resnet50-4096.pt2 --device cuda --effort quick
exit 0 after 99 s
