strobe run zoo:resnet50 --device cuda --batch 1 --graph --copies --effort quick
exit 0 after 13 s
