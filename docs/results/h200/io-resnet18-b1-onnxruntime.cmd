strobe run zoo:resnet18 --device cuda --io runtime --effort quick
exit 0 after 6 s
