/// A device that may be at some addresses: a hint and never a proof. Only a link proves who it is.
public struct Sighting: Hashable, Sendable {
    /// The name of the announcement on the network, the same as long as the device is seen.
    public let instance: String
    /// What the device says of itself; nil for an address that somebody typed.
    public let announcement: Announcement?
    /// Where to dial, each with the interface behind which it was seen; never empty.
    public let endpoints: [Endpoint]

    /// Puts together what was seen; a caller passes at least one endpoint.
    public init(instance: String, announcement: Announcement?, endpoints: [Endpoint]) {
        self.instance = instance
        self.announcement = announcement
        self.endpoints = endpoints
    }
}
