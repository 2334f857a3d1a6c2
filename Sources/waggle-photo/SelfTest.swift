import Glibc
import PhotoFormat

/// Tries, behind the fence, what a picture that took over the decoder would try.
enum SelfTest {
    /// Runs each attempt, prints a line for it, and returns whether all were refused.
    static func run() -> Bool {
        guard Fence.close() else {
            say("the fence could not be closed")
            return false
        }
        let attempts: [(String, () -> Bool)] = [
            ("open a file for reading", { unsafe open("/etc/passwd", O_RDONLY) >= 0 }),
            ("open a file for writing", { unsafe open("/dev/null", O_WRONLY) >= 0 }),
            ("make a socket", { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0 }),
            (
                "make a socket of this machine",
                {
                    socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0
                }
            ),
            ("start a process", startsProcess),
            ("start a thread", startsThread),
            ("signal the parent", { kill(getppid(), 0) == 0 }),
            ("read a file that was open", { reads(from: STDERR_FILENO) }),
            ("copy a descriptor", { dup(STDIN_FILENO) >= 0 }),
            ("remove a file", { unsafe unlink("/tmp/waggle-photo") == 0 || errno != EPERM }),
            ("map memory that can be executed", mapsCode),
            (
                "use more memory than its limit",
                {
                    unsafe malloc(PhotoLimits.workerMemoryBytesMax) != nil
                }
            ),
        ]
        return attempts.map { (what, attempt) in
            let isDone = attempt()
            say("\(isDone ? "possible" : "refused"): \(what)")
            return !isDone
        }.allSatisfy { $0 }
    }

    private static func say(_ line: String) {
        _ = StandardStreams.write(Array((line + "\n").utf8))
    }

    private static func startsProcess() -> Bool {
        var child: pid_t = 0
        var words: [UnsafeMutablePointer<CChar>?] = unsafe [strdup("true"), nil]
        defer { unsafe free(words[0]) }
        return unsafe posix_spawn(&child, "/bin/true", nil, nil, &words, nil) == 0
    }

    private static func startsThread() -> Bool {
        var thread = pthread_t()
        return unsafe pthread_create(&thread, nil, { _ in nil }, nil) == 0
    }

    private static func reads(from descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        return unsafe Glibc.read(descriptor, &byte, 1) >= 0 || errno != EPERM
    }

    private static func mapsCode() -> Bool {
        let mapped = unsafe mmap(
            nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return unsafe mapped != MAP_FAILED
    }
}
