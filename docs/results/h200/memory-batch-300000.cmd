strobe run zoo:resnet18 --device cuda --batch 300000
