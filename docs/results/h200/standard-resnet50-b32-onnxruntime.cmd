strobe run zoo:resnet50 --device cuda --batch 32 --graph --max-time 30s
exit 0 after 10 s
