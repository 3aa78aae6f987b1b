strobe run resnet50.pt --device cuda --batch 1 --graph --copies --effort quick
exit 0 after 20 s
