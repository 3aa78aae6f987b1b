strobe run zoo:mobilenet_v3_small --device cuda --batch 1 --graph --copies --effort quick
exit 0 after 17 s
