import Glibc

/// A network interface of this host, as the system describes it.
public struct NetworkInterface: Hashable, Sendable {
    /// The name, as "eth0".
    public let name: String
    /// The number the system gave it.
    public let index: UInt32
    /// Whether it is switched on and its cable or radio is connected.
    public let isUp: Bool
    /// Whether packets to many reach it.
    public let hasMulticast: Bool
    /// Whether it leads back to this host.
    public let isLoopback: Bool
    /// How many IPv4 and IPv6 addresses it has.
    public let addressCount: Int

    /// Describes an interface; ``all()`` describes the real ones.
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

    /// Whether others can be found behind it. The loopback carries announcements without being a
    /// multicast interface; whether it is used is for the patterns to say.
    public func isUsable(leavingOut patterns: InterfacePatterns) -> Bool {
        isUp && (hasMulticast || isLoopback) && addressCount > 0 && !patterns.leaveOut(name)
    }

    /// The interfaces of this host in the order of their index; empty where the system tells none.
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

    /// The interface of one entry, with one address or none.
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
