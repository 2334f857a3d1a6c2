import Glibc
import PhotoFormat

// Reads one request from standard input, and writes the answer to standard output. It is meant for
// Waggle alone: see PhotoRequest and PhotoAnswer.
//
//     waggle-photo --self-test     tries what the fence forbids, and prints what was refused

/// Everything that opens a file or allocates once is done before the fence is closed.
Pixbuf.prepare()

if CommandLine.arguments.dropFirst().elementsEqual(["--self-test"]) {
    exit(SelfTest.run() ? 0 : 1)
}
guard Fence.close() else {
    _ = StandardStreams.write(PhotoAnswer.refused(.unfenced).encoded)
    exit(1)
}
guard let head = StandardStreams.read(count: PhotoRequest.headBytesCount),
    let request = PhotoRequest(head: head)
else { exit(2) }
exit(StandardStreams.write(PhotoWork(request).answer().encoded) ? 0 : 1)
