strobe run resnet50.pt --device cuda --batch 32 --graph --max-time 30s
exit 0 after 9 s
