import Glibc
import Synchronization

/// What others ask of the thread that owns Avahi's pointers. Anybody may put something in; the
/// descriptor then becomes readable and wakes the thread.
final class AvahiMailbox: Sendable {
    /// The newest of what was asked; an older announcement that was not looked at is of no use.
    struct Content: Sendable {
        var announcement: Announcement?
        var isStopped = false
    }

    /// Readable when there is something new.
    let wakeDescriptor: Int32
    private let content = Mutex(Content())

    private let wakeEnd: Int32

    /// - Returns: nil where the process has too many files open.
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

    /// Takes what was asked since the last time; a stop stays.
    func take() -> Content {
        content.withLock { content in
            defer { content.announcement = nil }
            return content
        }
    }

    private func wake() {
        var one: UInt8 = 1
        // It can only fail when the socket is full, and then it is readable already.
        _ = unsafe write(wakeEnd, &one, 1)
    }
}
