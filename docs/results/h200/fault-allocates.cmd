strobe run allocates.pt --device cuda --max-time 2s --min-time 1s
exit 0 after 3 s
