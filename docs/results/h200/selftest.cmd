strobe selftest --device cuda
exit 0 after 41 s
