import Glibc
import Synchronization

/// Requests to the thread that owns Avahi's pointers. Any thread may add a request, which makes the
/// descriptor readable and so wakes the owner.
final class AvahiMailbox: Sendable {
    /// The newest requests. An older announcement that was not read yet is replaced.
    struct Content: Sendable {
        var announcement: Announcement?
        var isStopped = false
    }

    /// Readable if there is a new request.
    let wakeDescriptor: Int32
    private let content = Mutex(Content())

    private let wakeEnd: Int32

    /// Creates a mailbox.
    /// - Returns: nil if the process has too many open files.
    init?() {
        var ends: [Int32] = [-1, -1]
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        guard unsafe socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else { return nil }
        wakeDescriptor = ends[0]
        wakeEnd = ends[1]
    }

    deinit {
        close(wakeDescriptor)
        close(wakeEnd)
    }

    func put(_ announcement: Announcement) {
        content.withLock { $0.announcement = announcement }
        wake()
    }

    func stop() {
        content.withLock { $0.isStopped = true }
        wake()
    }

    /// Returns the requests since the last call. A stop request remains.
    func drain() -> Content {
        content.withLock { content in
            defer { content.announcement = nil }
            return content
        }
    }

    private func wake() {
        var one: UInt8 = 1
        // Writing fails only if the socket is full, and then it is readable already.
        _ = unsafe write(wakeEnd, &one, 1)
    }
}
