loop_torch resnet50-4096.pt2 192
