strobe run zoo:resnet18 --device cuda --batch 32 --graph --max-time 30s
exit 0 after 8 s
