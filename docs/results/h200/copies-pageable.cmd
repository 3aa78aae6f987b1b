strobe pipeline copies-pageable.yaml
exit 0 after 8 s
