strobe run zoo:resnet50 --device cuda --batch 9000
