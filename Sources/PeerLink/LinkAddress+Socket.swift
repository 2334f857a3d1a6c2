import Links
import NIOCore

extension LinkAddress {
    /// Creates the address of a socket, or nil if it has none. An IPv4 address on an IPv6 socket is
    /// written as IPv4, and a link-local address includes its interface.
    init?(_ socket: SocketAddress?) {
        guard let socket, let host = socket.ipAddress, let port = socket.port else { return nil }
        self.init(
            host: Self.unmapped(host) ?? host + Self.scope(of: socket, host: host, port: port),
            port: UInt16(truncatingIfNeeded: port))
    }

    private static func unmapped(_ host: String) -> String? {
        let prefix = "::ffff:"
        guard host.hasPrefix(prefix), host.contains(".") else { return nil }
        return String(host.dropFirst(prefix.count))
    }

    /// Returns the scope of an address as "%interface", or "". The interface is found by
    /// comparison: an address with a scope only equals itself with its interface's name.
    private static func scope(of socket: SocketAddress, host: String, port: Int) -> String {
        guard case .v6 = socket, (try? SocketAddress(ipAddress: host, port: port)) != socket else {
            return ""
        }
        let names = ((try? System.enumerateDevices()) ?? []).map { "%" + $0.name }
        return names.first { (try? SocketAddress(ipAddress: host + $0, port: port)) == socket }
            ?? ""
    }
}
