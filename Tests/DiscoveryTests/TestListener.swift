import Glibc

/// A socket that listens on a free port of all addresses.
final class TestListener {
    let port: UInt16
    private let descriptor: Int32

    struct Unavailable: Error {}

    init() throws {
        let descriptor = socket(
            AF_INET6, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let outcome = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(descriptor, generic, length) == 0
                    && listen(descriptor, 8) == 0
                    && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard outcome else { throw Unavailable() }
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin6_port)
    }

    func end() {
        close(descriptor)
    }
}
