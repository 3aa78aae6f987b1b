strobe pipeline copies-pinned.yaml
exit 0 after 5 s
