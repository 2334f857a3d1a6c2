public import Records

/// What a replica holds of one space, in counts.
public struct SpaceSummary: Hashable, Sendable {
    /// The space.
    public let id: SpaceID
    /// What the space is.
    public let descriptor: SpaceDescriptor
    /// Equal on two replicas exactly when the same batches count there.
    public let digest: Bytes16
    /// Batches that count, held ones included.
    public let batches: Int
    /// Batches dated over 24 h ahead, which are inert until due.
    public let held: Int
    /// When the first of these is due, in milliseconds since 1970; nil where there is none.
    public let nextDueMilliseconds: UInt64?
    /// Operations that broke a rule and count for nothing.
    public let void: Int
    /// Operations on entities that are not known here yet.
    public let waiting: Int
    /// Batches whose body is not here though no erase is known that names them.
    public let missing: Int
    /// Devices that signed two batches of one number, both of which are here. Knowing of it never
    /// changes a merge.
    public let forkedDevices: [DeviceID]
}
