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
            let port = UInt16(text[text.index(after: colon)...]), port > 0
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard let address = host.split(separator: "%", maxSplits: 1).first,
                InternetAddress(text: String(address))?.isIPv6 == true
            else { return nil }
        } else if host.contains(":") {
            return nil
        }
        guard Self.isHost(host) else { return nil }
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

    private static func isHost(_ host: Substring) -> Bool {
        !host.isEmpty && host.utf8.count <= hostBytesMax
            && host.utf8.allSatisfy { (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "/") }
    }
}
