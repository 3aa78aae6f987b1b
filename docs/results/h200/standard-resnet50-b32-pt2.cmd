strobe run resnet50.pt2 --device cuda --batch 32 --graph --max-time 30s
exit 0 after 12 s
