strobe run resnet18.pt --device cuda --batch 1 --graph --copies --effort quick
exit 0 after 14 s
