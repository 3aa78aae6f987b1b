strobe run zoo:mobilenet_v3_small --device cuda --batch 32 --graph --copies --effort quick
exit 0 after 12 s
