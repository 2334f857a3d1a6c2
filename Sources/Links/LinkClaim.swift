public import Records

/// One run of a device: a random name, and how often the device had been started before.
public struct Boot: Hashable, Comparable, Sendable {
    /// A name drawn at this start, 16 bytes.
    public var id: Bytes16
    /// Counts the starts of the device; a later start has a higher number.
    public var startCount: UInt64

    /// The boot with this name and start counter.
    public init(id: Bytes16, startCount: UInt64) {
        self.id = id
        self.startCount = startCount
    }

    /// The later start is the greater one; of two with one counter (a copied disk), by name.
    public static func < (left: Boot, right: Boot) -> Bool {
        left.startCount != right.startCount
            ? left.startCount < right.startCount : left.id < right.id
    }
}

/// What a link may claim when another one joins the same two devices.
public struct LinkClaim: Hashable, Sendable {
    /// One end of a link between two devices.
    public enum End: Hashable, Sendable {
        /// The device with the lower key.
        case lowerKey
        /// The device with the higher key.
        case higherKey
    }

    /// The boot of the peer at the other end, as its HELLO said.
    public var boot: Boot
    /// Which end dialled.
    public var dialledBy: End

    /// The claim of a link to a peer of this boot.
    public init(boot: Boot, dialledBy: End) {
        self.boot = boot
        self.dialledBy = dialledBy
    }

    /// The claim of a link that `dialler` opened to `other`, the peer being of this boot.
    public init(boot: Boot, dialler: DeviceID, other: DeviceID) {
        self.init(boot: boot, dialledBy: dialler < other ? .lowerKey : .higherKey)
    }
}
