public import Records

/// The announcement that a node sends to everyone on the network. It is a hint, never a proof.
public struct Announcement: Hashable, Sendable {
    /// The DNS-SD service type of all nodes.
    public static let serviceType = "_waggle._tcp"

    /// The lowest protocol version that the node supports, 1 to 255.
    public let protocolVersion: UInt8
    /// The device's tag of this hour.
    public let tag: DeviceTag
    /// The TCP port on which the node accepts links, never 0.
    public let port: UInt16
    /// The fields that the node's plugins announce.
    public let fields: AnnouncedFields

    /// Creates an announcement.
    /// - Returns: nil if the version or the port is 0.
    public init?(
        protocolVersion: UInt8 = 1, tag: DeviceTag, port: UInt16,
        fields: AnnouncedFields = AnnouncedFields()
    ) {
        guard protocolVersion > 0, port > 0 else { return nil }
        self.protocolVersion = protocolVersion
        self.tag = tag
        self.port = port
        self.fields = fields
    }

    /// Returns the DNS-SD instance name. It depends on the tag alone, so that it does not reveal
    /// more than the tag. If a name is in use, the next attempt appends a number.
    func instanceName(attempt: Int) -> String {
        attempt == 0 ? "waggle-\(tag)" : "waggle-\(tag)-\(attempt + 1)"
    }
}
