strobe methods zoo:resnet50 --device cuda --batch 32
exit 0 after 15 s
