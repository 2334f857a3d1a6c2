public import Records

/// The counts of one space in a replica.
public struct SpaceSummary: Hashable, Sendable {
    /// The space.
    public let id: SpaceID
    /// The kind of the space and its people.
    public let descriptor: SpaceDescriptor
    /// Equal on two replicas exactly if the same batches count there.
    public let digest: Bytes16
    /// The number of batches that count, including held ones.
    public let batches: Int
    /// The number of batches dated over 24 h ahead, which are inert until due.
    public let held: Int
    /// The time at which the first of these is due; nil if there is none.
    public let nextDue: Timestamp?
    /// The number of operations that broke a rule and have no effect.
    public let void: Int
    /// The number of operations on entities that are not known here yet.
    public let waiting: Int
    /// The number of batches without a body although no known erase names them.
    public let missing: Int
    /// The devices that signed two batches of one number, if both are here. This never changes a
    /// merge.
    public let forkedDevices: [DeviceID]
}
