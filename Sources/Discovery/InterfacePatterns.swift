/// Names of network interfaces that are left out of discovery; "*" stands for any characters,
/// also none.
public struct InterfacePatterns: Hashable, Sendable {
    /// The patterns, in the order they were given.
    public let patterns: [String]

    /// Replaces the usual list: what matches none of these patterns is used.
    public init(_ patterns: [String]) {
        self.patterns = patterns
    }

    /// Containers, bridges between them and virtual machines, where nobody walks a dog, and the
    /// loopback. Tunnels (tun, tap, wg) stay in: they carry multicast only where somebody set them
    /// up to join two networks, and that somebody wants the people there to be found.
    public static let usual = InterfacePatterns([
        "lo", "docker*", "br-*", "veth*", "virbr*", "vnet*", "lxc*", "lxd*", "cni*", "flannel*",
        "cali*", "podman*",
    ])

    /// Whether an interface of this name is left out.
    public func leaveOut(_ name: String) -> Bool {
        patterns.contains { Self.matches(Array($0.utf8)[...], Array(name.utf8)[...]) }
    }

    /// Walks both texts once and goes back to the last star only, so that no pattern takes more
    /// than pattern × name steps.
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
