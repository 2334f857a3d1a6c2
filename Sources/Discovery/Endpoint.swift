/// A network address that can be dialled.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// The longest host name that DNS allows, in bytes.
    public static let hostBytesMax = 253

    /// "192.0.2.7", "2001:db8::7", "fe80::7%eth0" or a host name: any text that the system's
    /// resolver accepts, including the scope of a link-local address.
    public let host: String
    /// The TCP port, never 0.
    public let port: UInt16
    /// The local interface on which the address was seen; nil if a person entered the address.
    public let interface: Interface?

    /// A network interface as the system names and numbers it.
    public struct Interface: Hashable, Sendable {
        /// The name, for example "eth0".
        public let name: String
        /// The system's number of the interface, never 0.
        public let index: UInt32

        /// Creates a value without asking the system about the interface.
        public init(name: String, index: UInt32) {
            self.name = name
            self.index = index
        }
    }

    /// Parses "host:port" or, for IPv6, "[address]:port"; nil for anything else.
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

    /// Creates an endpoint for an address seen on an interface. A link-local address gets the
    /// interface as its scope.
    init(address: InternetAddress, port: UInt16, interface: Interface) {
        host = address.needsScope ? "\(address.text)%\(interface.name)" : address.text
        self.port = port
        self.interface = interface
    }

    /// "host:port", with IPv6 addresses in brackets.
    public var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Parses a port. Only digits are accepted, because the integer parser also accepts signs.
    private static func port(_ text: Substring) -> UInt16? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = UInt16(text), port > 0
        else { return nil }
        return port
    }

    /// Whether a text is an IPv6 address, with or without a scope.
    private static func isIPv6(_ host: Substring) -> Bool {
        let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard InternetAddress(text: String(parts[0]))?.isIPv6 == true else { return false }
        return parts.count == 1 || isName(parts[1])
    }

    /// Whether a text consists of the characters of host names, interface names and IPv4 addresses.
    private static func isName(_ name: Substring) -> Bool {
        !name.isEmpty
            && name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
                    || "-._".unicodeScalars.contains($0)
            }
    }
}
