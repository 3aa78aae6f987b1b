strobe doctor
exit 0 after 1 s
