strobe run zoo:resnet50 --device cuda --batch 32 --graph --copies --effort quick
exit 0 after 17 s
