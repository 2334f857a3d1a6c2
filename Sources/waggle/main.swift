import Glibc

// A reader that goes away, as `head` does, is no reason to be killed in mid-write.
signal(SIGPIPE, SIG_IGN)
exit(await Program(arguments: ArgumentBytes.words).run())
