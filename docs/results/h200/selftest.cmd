strobe selftest --device cuda
exit 0 after 38 s
