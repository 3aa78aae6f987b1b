strobe run second_stream.pt --device cuda --max-time 2s --min-time 1s
exit 1 after 4 s
