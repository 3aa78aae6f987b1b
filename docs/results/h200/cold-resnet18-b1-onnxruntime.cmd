strobe run zoo:resnet18 --device cuda --cache cold --effort quick
exit 0 after 12 s
