strobe run zoo:resnet50 --device cuda --graph --max-time 30s
exit 0 after 45 s
