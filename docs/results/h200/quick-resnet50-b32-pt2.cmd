strobe run resnet50.pt2 --device cuda --batch 32 --graph --copies --effort quick
exit 0 after 19 s
