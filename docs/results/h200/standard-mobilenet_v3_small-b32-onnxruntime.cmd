strobe run zoo:mobilenet_v3_small --device cuda --batch 32 --graph --max-time 30s
exit 0 after 32 s
