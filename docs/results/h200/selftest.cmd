strobe selftest --device cuda
exit 1
