strobe run mobilenet_v3_small.pt --device cuda --batch 32 --graph --copies --effort quick
exit 0 after 14 s
