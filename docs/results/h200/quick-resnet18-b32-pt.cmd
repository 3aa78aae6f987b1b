strobe run resnet18.pt --device cuda --batch 32 --graph --copies --effort quick
exit 0 after 9 s
