internal import Glibc
internal import Synchronization

/// The ports of the nodes in this process. They are below those that the system gives to a socket
/// that names none, and beside those that scripts use. Each is given once, and no other process of
/// tests gives it. So a node that starts again has its port again, whatever other tests opened
/// meanwhile.
enum TestPorts {
    private static let blocks = Mutex<[PortBlock]>([])

    /// Returns the next port. A program other than tests may have it.
    static func next() -> UInt16 {
        blocks.withLock { blocks in
            if let port = blocks.last?.next() { return port }
            guard let block = PortBlock.claim(in: 12_000...19_999) else {
                preconditionFailure("other processes of tests use all blocks of ports")
            }
            blocks.append(block)
            guard let port = block.next() else { preconditionFailure("a new block has ports") }
            return port
        }
    }
}

/// Adjacent ports for one process. Its claim is a UDP socket on the first one, which no other
/// process can open until this one ends; nodes use TCP.
final class PortBlock: Sendable {
    /// The number of ports in a block.
    static let portsCount: UInt16 = 50

    private let claim: Int32
    private let left: Mutex<Range<UInt16>>

    private init(claim: Int32, first: UInt16) {
        self.claim = claim
        left = Mutex(first..<(first + Self.portsCount))
    }

    deinit { close(claim) }

    /// Returns a block that no process has claimed; nil if there is none. The search begins
    /// anywhere, so that ports of a process that has just ended are not used again at once.
    static func claim(in range: ClosedRange<UInt16>) -> PortBlock? {
        let firsts = Array(
            stride(from: range.lowerBound, to: range.upperBound, by: Int(portsCount)))
        let start = Int.random(in: firsts.indices)
        for first in firsts[start...] + firsts[..<start] {
            if let claim = bound(first) { return PortBlock(claim: claim, first: first) }
        }
        return nil
    }

    /// Returns the next port; nil if all are given.
    func next() -> UInt16? {
        left.withLock { $0.popFirst() }
    }

    /// Returns a UDP socket with a port of the loopback interface; nil if the port is used.
    private static func bound(_ port: UInt16) -> Int32? {
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let claim = socket(AF_INET, kind, 0)
        guard claim >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(claim, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            close(claim)
            return nil
        }
        return claim
    }
}
