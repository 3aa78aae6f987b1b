strobe throughput zoo:resnet50 --device cuda --batches 32 --copies serial
exit 0 after 16 s
