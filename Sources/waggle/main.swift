import Glibc

// A reader that closes the stream, as `head` does, must not kill the process during a write.
signal(SIGPIPE, SIG_IGN)
exit(await Program(arguments: ArgumentBytes.words).run())
