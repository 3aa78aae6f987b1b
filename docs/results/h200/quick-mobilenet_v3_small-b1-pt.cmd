strobe run mobilenet_v3_small.pt --device cuda --batch 1 --graph --copies --effort quick
exit 0 after 18 s
