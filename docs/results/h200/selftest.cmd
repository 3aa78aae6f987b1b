strobe selftest --device cuda
exit 0 after 37 s
