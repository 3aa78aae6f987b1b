strobe run small.onnx --device cuda --shape input=1x3x4096x4096 --io runtime --effort quick
exit 0 after 13 s
