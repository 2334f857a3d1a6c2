/// An address that can be dialled.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// The longest host name that DNS allows, in bytes.
    public static let hostBytesMax = 253

    /// "192.0.2.7", "2001:db8::7", "fe80::7%eth0" or a host name: what the resolver of the system
    /// takes, the scope of a link-local address included.
    public let host: String
    /// The TCP port, never 0.
    public let port: UInt16
    /// The interface of this host behind which the address was seen; nil where somebody typed it.
    public let interface: Interface?

    /// A network interface as the system names and numbers it.
    public struct Interface: Hashable, Sendable {
        /// The name, as "eth0".
        public let name: String
        /// The number the system gave it, never 0.
        public let index: UInt32

        /// Names an interface without asking the system about it.
        public init(name: String, index: UInt32) {
            self.name = name
            self.index = index
        }
    }

    /// Reads "host:port" or, for IPv6, "[address]:port"; nil for anything else.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = Self.port(text[text.index(after: colon)...])
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard Self.isIPv6(host) else { return nil }
        } else {
            guard Self.isName(host) else { return nil }
        }
        guard host.utf8.count <= Self.hostBytesMax else { return nil }
        self.host = String(host)
        self.port = port
        interface = nil
    }

    /// An address seen behind an interface; a link-local one gets the interface as its scope.
    init(address: InternetAddress, port: UInt16, interface: Interface) {
        host = address.needsScope ? "\(address.text)%\(interface.name)" : address.text
        self.port = port
        self.interface = interface
    }

    /// "host:port", IPv6 in brackets.
    public var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Digits alone: the number parser also takes signs.
    private static func port(_ text: Substring) -> UInt16? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = UInt16(text), port > 0
        else { return nil }
        return port
    }

    /// An IPv6 address, with or without the scope of a link-local one.
    private static func isIPv6(_ host: Substring) -> Bool {
        let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard InternetAddress(text: String(parts[0]))?.isIPv6 == true else { return false }
        return parts.count == 1 || isName(parts[1])
    }

    /// What names of hosts and interfaces are made of, and IPv4 addresses too.
    private static func isName(_ name: Substring) -> Bool {
        !name.isEmpty
            && name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
                    || "-._".unicodeScalars.contains($0)
            }
    }
}
