import Links
import NIOCore

extension LinkAddress {
    /// The address of a socket, or nil where it has none: an IPv4 address that came over an IPv6
    /// socket is written as IPv4, and a link-local one carries its interface.
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

    /// An address without scope equals itself; one with a scope equals itself only with its
    /// interface's name, which this looks for.
    private static func scope(of socket: SocketAddress, host: String, port: Int) -> String {
        guard case .v6 = socket, (try? SocketAddress(ipAddress: host, port: port)) != socket else {
            return ""
        }
        let names = ((try? System.enumerateDevices()) ?? []).map { "%" + $0.name }
        return names.first { (try? SocketAddress(ipAddress: host + $0, port: port)) == socket }
            ?? ""
    }
}
