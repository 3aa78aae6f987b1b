strobe pipeline examples/pipeline.yaml --device cuda --rounds 96
exit 0 after 38 s
