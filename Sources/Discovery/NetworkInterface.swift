import Glibc

/// A network interface of this host, as the system describes it.
public struct NetworkInterface: Hashable, Sendable {
    /// The name, for example "eth0".
    public let name: String
    /// The system's number of the interface.
    public let index: UInt32
    /// Whether the interface is enabled and its cable or radio is connected.
    public let isUp: Bool
    /// Whether the interface supports multicast.
    public let hasMulticast: Bool
    /// Whether this is a loopback interface.
    public let isLoopback: Bool
    /// The number of its IPv4 and IPv6 addresses.
    public let addressCount: Int

    /// Creates a description; ``all()`` returns the real ones.
    public init(
        name: String, index: UInt32, isUp: Bool, hasMulticast: Bool, isLoopback: Bool,
        addressCount: Int
    ) {
        self.name = name
        self.index = index
        self.isUp = isUp
        self.hasMulticast = hasMulticast
        self.isLoopback = isLoopback
        self.addressCount = addressCount
    }

    /// Whether others can be found on this interface. The loopback carries announcements although
    /// it has no multicast flag; the patterns decide whether it is used.
    public func isUsable(leavingOut patterns: InterfacePatterns) -> Bool {
        isUp && (hasMulticast || isLoopback) && addressCount > 0 && !patterns.leaveOut(name)
    }

    /// Returns the interfaces of this host in the order of their index; empty if the system reports
    /// none.
    public static func all() -> [NetworkInterface] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { return [] }
        defer { unsafe freeifaddrs(first) }
        var found: [String: NetworkInterface] = [:]
        var next = unsafe first
        while let entry = unsafe next?.pointee {
            let one = unsafe interface(entry)
            let before = found[one.name]?.addressCount ?? 0
            found[one.name] = one.with(addressCount: before + one.addressCount)
            unsafe next = entry.ifa_next
        }
        return found.values.sorted { $0.index < $1.index }
    }

    /// Creates the interface of one entry, with one address or none.
    private static func interface(_ entry: ifaddrs) -> NetworkInterface {
        let family = unsafe entry.ifa_addr?.pointee.sa_family
        let isAddress = family == sa_family_t(AF_INET) || family == sa_family_t(AF_INET6)
        let flags = unsafe entry.ifa_flags
        return NetworkInterface(
            name: unsafe String(cString: entry.ifa_name),
            index: unsafe if_nametoindex(entry.ifa_name),
            isUp: flags & UInt32(IFF_UP) != 0 && flags & UInt32(IFF_RUNNING) != 0,
            hasMulticast: flags & UInt32(IFF_MULTICAST) != 0,
            isLoopback: flags & UInt32(IFF_LOOPBACK) != 0,
            addressCount: isAddress ? 1 : 0)
    }

    private func with(addressCount: Int) -> NetworkInterface {
        NetworkInterface(
            name: name, index: index, isUp: isUp, hasMulticast: hasMulticast,
            isLoopback: isLoopback, addressCount: addressCount)
    }
}
