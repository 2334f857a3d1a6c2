public import Records

/// A start of a device: a random name and the number of starts so far.
public struct Boot: Hashable, Comparable, Sendable {
    /// The random name of this start, 16 bytes.
    public var id: Bytes16
    /// The number of starts of the device; a later start has a higher number.
    public var startCount: UInt64

    /// Creates a boot from its name and number.
    public init(id: Bytes16, startCount: UInt64) {
        self.id = id
        self.startCount = startCount
    }

    /// Whether this boot is known to be older than another one. The start count 0, which a device
    /// sends to strangers, does not show the order.
    public func isKnownOlder(than other: Boot) -> Bool {
        startCount > 0 && other.startCount > 0 && self < other
    }

    /// Whether two links show the same boot. One of them may lack the start count.
    func isSame(as other: Boot) -> Bool {
        id == other.id
            && (startCount == other.startCount || startCount == 0 || other.startCount == 0)
    }

    /// Orders by the number of starts; boots with the same number (a copied disk) by name.
    public static func < (left: Boot, right: Boot) -> Bool {
        left.startCount != right.startCount
            ? left.startCount < right.startCount : left.id < right.id
    }
}

/// The properties of a link that decide between it and another link of the same devices.
public struct LinkClaim: Hashable, Sendable {
    /// One end of a link between two devices.
    public enum End: Hashable, Sendable {
        /// The device with the lower key.
        case lowerKey
        /// The device with the higher key.
        case higherKey
    }

    /// The boot of the peer, from its HELLO.
    public var boot: Boot
    /// The end that dialled.
    public var dialledBy: End

    /// Creates the claim of a link to a peer with this boot.
    public init(boot: Boot, dialledBy: End) {
        self.boot = boot
        self.dialledBy = dialledBy
    }

    /// Creates the claim of a link that `dialler` opened to `other`, when the peer has this boot.
    public init(boot: Boot, dialler: DeviceID, other: DeviceID) {
        self.init(boot: boot, dialledBy: dialler < other ? .lowerKey : .higherKey)
    }
}
