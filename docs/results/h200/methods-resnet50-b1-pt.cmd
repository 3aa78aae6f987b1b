strobe methods resnet50.pt --device cuda
exit 0 after 5 s
