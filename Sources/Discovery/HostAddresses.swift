import Glibc

/// The addresses of this host.
public enum HostAddresses {
    /// Returns the IPv4 addresses at which others on the network reach this host, in the order in
    /// which the system lists them; those of the loopback come last.
    public static func reachable(leavingOut patterns: InterfacePatterns) -> [String] {
        let interfaces = NetworkInterface.all().filter { $0.isUsable(leavingOut: patterns) }
        let isLoopback = Dictionary(
            interfaces.map { ($0.name, $0.isLoopback) }, uniquingKeysWith: { one, _ in one })
        var found: [(address: String, isLoopback: Bool)] = []
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { return [] }
        defer { unsafe freeifaddrs(first) }
        var next = unsafe first
        while let entry = unsafe next?.pointee {
            unsafe next = entry.ifa_next
            guard let isLoopback = unsafe isLoopback[String(cString: entry.ifa_name)],
                let address = unsafe text(of: entry.ifa_addr)
            else { continue }
            found.append((address, isLoopback))
        }
        return found.filter { !$0.isLoopback }.map(\.address)
            + found.filter(\.isLoopback).map(\.address)
    }

    /// Returns the text of an IPv4 address, or nil if it is of another family.
    private static func text(of address: UnsafeMutablePointer<sockaddr>?) -> String? {
        guard let address = unsafe address,
            unsafe address.pointee.sa_family == sa_family_t(AF_INET)
        else { return nil }
        var digits = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = unsafe getnameinfo(
            address, socklen_t(MemoryLayout<sockaddr_in>.size), &digits, socklen_t(digits.count),
            nil, 0, NI_NUMERICHOST)
        guard status == 0 else { return nil }
        return String(
            decoding: digits.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
