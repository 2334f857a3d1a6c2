internal import Synchronization

/// The ports of the nodes in this process. They are below those that the system gives to a socket
/// that names none, and each is given once. So a node that starts again has its port again,
/// whatever other tests opened meanwhile.
enum TestPorts {
    private static let range: ClosedRange<UInt16> = 12_000...29_999
    /// Random at first, so that another process is unlikely to use the same ones.
    private static let last = Mutex(UInt16.random(in: range))

    /// Returns the next port. Another process may have it.
    static func next() -> UInt16 {
        last.withLock { last in
            last = last < range.upperBound ? last + 1 : range.lowerBound
            return last
        }
    }
}
