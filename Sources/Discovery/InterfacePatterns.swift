/// The names of network interfaces that are excluded from discovery. "*" matches any characters, or
/// none.
public struct InterfacePatterns: Hashable, Sendable {
    /// The patterns in their given order.
    public let patterns: [String]

    /// Replaces the usual patterns. Interfaces that match no pattern are used.
    public init(_ patterns: [String]) {
        self.patterns = patterns
    }

    /// The loopback, containers, their bridges and virtual machines, because no other people are
    /// there. Tunnels (tun, tap, wg) are not excluded: they carry multicast only if they were set
    /// up to join two networks, and then the people there should be found.
    public static let usual = InterfacePatterns([
        "lo", "docker*", "br-*", "veth*", "virbr*", "vnet*", "lxc*", "lxd*", "cni*", "flannel*",
        "cali*", "podman*",
    ])

    /// Whether the interface with this name is excluded.
    public func leaveOut(_ name: String) -> Bool {
        patterns.contains { Self.matches(Array($0.utf8)[...], Array(name.utf8)[...]) }
    }

    /// Compares both texts in one pass and backtracks to the last star only, so that no pattern
    /// takes more than pattern × name steps.
    private static func matches(
        _ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>
    ) -> Bool {
        var (at, position) = (pattern.startIndex, name.startIndex)
        var star: (at: Int, position: Int)?
        while position < name.endIndex {
            if at < pattern.endIndex, pattern[at] == UInt8(ascii: "*") {
                star = (at, position)
                at += 1
            } else if at < pattern.endIndex, pattern[at] == name[position] {
                at += 1
                position += 1
            } else if let last = star {
                star = (last.at, last.position + 1)
                (at, position) = (last.at + 1, last.position + 1)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
