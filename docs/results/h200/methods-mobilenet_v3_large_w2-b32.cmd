strobe methods zoo:mobilenet_v3_large_w2 --device cuda --batch 32 --warmup 5 --requests 45 --methods naive,sync,event,event-queued,block-host,block-device,gated,gated-spin,gated-second,graph,graph-event
exit 0 after 8 s
