strobe run resnet50-b1.pt2 --device cuda --graph --copies --effort quick
exit 0 after 17 s
