import Links
import NIOCore

/// The origin of a connection, as far as its address shows it.
struct Origin: Hashable {
    /// The address, with its interface if it is a link-local one.
    let address: String
    /// The first 64 bits of an IPv6 address, with its interface if it is a link-local one, because
    /// one device may use all addresses that begin with them; otherwise the address.
    let network: String

    init(address: String, network: String) {
        self.address = address
        self.network = network
    }

    /// Creates the origin of a socket. All sockets without a reported address share one origin.
    init(_ socket: SocketAddress?) {
        address = LinkAddress(socket)?.host ?? "unknown"
        network = Self.network(of: address)
    }

    /// Returns the network of an address in the text form that the system writes.
    static func network(of address: String) -> String {
        let parts = address.split(separator: "%", maxSplits: 1)
        guard let host = parts.first, host.contains(":") else { return address }
        let halves = host.split(separator: "::", omittingEmptySubsequences: false)
        let groups = halves.map { $0.split(separator: ":") }
        let zeros = max(0, 8 - groups.reduce(0) { $0 + $1.count })
        let padded = groups[0] + [Substring](repeating: "0", count: zeros)
        let interface = parts.count > 1 ? "%\(parts[1])" : ""
        return (padded + groups.dropFirst().joined()).prefix(4).joined(separator: ":")
            + "::/64" + interface
    }
}
