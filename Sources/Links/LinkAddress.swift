/// An address at which a device may be reached: a host and a port, written as `host:port` or
/// `[ipv6%interface]:port`.
///
/// The host is an IPv4 address, an IPv6 address (a link-local one with its interface), or a name.
///
/// ```swift
/// LinkAddress("192.168.1.7:4711")?.port  // 4711
/// LinkAddress("[fe80::1%wlan0]:4711")?.host  // "fe80::1%wlan0"
/// LinkAddress("192.168.1.7")  // nil: the port is missing
/// ```
public struct LinkAddress: Hashable, Sendable {
    /// The address or name, without brackets.
    public var host: String
    /// The TCP port.
    public var port: UInt16

    /// The length of the longest host, in bytes of UTF-8: a domain name has at most 253.
    public static let hostBytesMax = 253

    /// Creates an address from a host and a port.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Parses an address. Returns nil for a missing port, a port of 0 or above 65535, an empty
    /// host, white space, or an IPv6 address without brackets.
    public init?(_ text: some StringProtocol) {
        guard let colon = text.lastIndex(of: ":"),
            let port = Self.port(text[text.index(after: colon)...]),
            let host = Self.host(text[..<colon])
        else { return nil }
        self.init(host: host, port: port)
    }

    private static func port(_ digits: some StringProtocol) -> UInt16? {
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits), port > 0
        else { return nil }
        return port
    }

    private static func host(_ text: some StringProtocol) -> String? {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let host = isBracketed ? String(text.dropFirst().dropLast()) : String(text)
        guard !host.isEmpty, host.utf8.count <= hostBytesMax,
            host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            !host.contains(where: { "[]".contains($0) }),
            host.contains(":") == isBracketed
        else { return nil }
        return host
    }
}

extension LinkAddress: CustomStringConvertible {
    /// `host:port`, with IPv6 addresses in brackets.
    public var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
