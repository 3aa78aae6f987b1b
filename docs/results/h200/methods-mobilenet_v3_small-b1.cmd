strobe methods zoo:mobilenet_v3_small --device cuda
exit 0 after 5 s
