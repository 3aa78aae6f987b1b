strobe doctor
exit 0 after 2 s
