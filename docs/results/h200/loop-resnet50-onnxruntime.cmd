loop_onnxruntime libonnxruntime.so.1 resnet50.onnx input 128
