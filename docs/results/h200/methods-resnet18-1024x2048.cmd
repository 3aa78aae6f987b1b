strobe methods zoo:resnet18 --device cuda --shape input=1x3x1024x2048 --warmup 5 --requests 300 --methods naive,sync,event,event-queued,block-host,block-device,gated,graph,graph-event
exit 0 after 13 s
