strobe run zoo:resnet50 --device cuda --batch 1 --graph --copies --effort quick
exit 0 after 19 s
