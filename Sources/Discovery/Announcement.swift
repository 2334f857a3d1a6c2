/// What a node says of itself to everybody on the network: a hint and never a proof.
public struct Announcement: Hashable, Sendable {
    /// The type under which nodes announce themselves.
    public static let serviceType = "_waggle._tcp"

    /// The version of the protocol that the node speaks, 1 to 255.
    public let protocolVersion: UInt8
    /// The tag of the hour.
    public let tag: DeviceTag
    /// The TCP port on which the node waits for links, never 0.
    public let port: UInt16
    /// Whether the person has a drop open.
    public let dropOpen: Bool
    /// Whether the person is looking for company.
    public let seeking: Bool
    /// Present exactly while the person is visible to everyone.
    public let introduction: Introduction?

    /// - Returns: nil for the version 0 or the port 0.
    public init?(
        protocolVersion: UInt8 = 1, tag: DeviceTag, port: UInt16, dropOpen: Bool = false,
        seeking: Bool = false, introduction: Introduction? = nil
    ) {
        guard protocolVersion > 0, port > 0 else { return nil }
        self.protocolVersion = protocolVersion
        self.tag = tag
        self.port = port
        self.dropOpen = dropOpen
        self.seeking = seeking
        // Nothing shown is the same as not visible, so that there is one way to say it.
        self.introduction = introduction == Introduction() ? nil : introduction
    }

    /// The name of the announcement on the network, from the tag alone: it must not tell more of
    /// the person than the tag does. Where a name is taken, the next attempt has a number behind.
    func instanceName(attempt: Int) -> String {
        attempt == 0 ? "waggle-\(tag)" : "waggle-\(tag)-\(attempt + 1)"
    }
}
