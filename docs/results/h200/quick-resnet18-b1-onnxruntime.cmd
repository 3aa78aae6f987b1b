strobe run zoo:resnet18 --device cuda --batch 1 --graph --copies --effort quick
exit 0 after 14 s
