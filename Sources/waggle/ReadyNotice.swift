import Glibc

/// Tells systemd that the node is ready, as `Type=notify` requires (sd_notify(3)).
enum ReadyNotice {
    /// Sends `READY=1` to the socket that systemd named; does nothing if it named none.
    static func send(environment: [String: String]) {
        guard let path = environment["NOTIFY_SOCKET"], var address = address(path) else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let notice = "READY=1"
        // An abstract name has its own length, without a zero at its end.
        let length = MemoryLayout<sa_family_t>.size + path.utf8.count
        _ = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe sendto(
                    descriptor, notice, notice.utf8.count, 0, $0, socklen_t(length))
            }
        }
    }

    /// Returns the address of a path, or of an abstract name, which is written with `@` for its
    /// first zero.
    private static func address(_ path: String) -> sockaddr_un? {
        var bytes = Array(path.utf8)
        var address = sockaddr_un()
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path), let first = bytes.first
        else { return nil }
        if first == UInt8(ascii: "@") { bytes[0] = 0 }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        return address
    }
}
