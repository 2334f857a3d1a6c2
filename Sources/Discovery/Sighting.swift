/// A device that may be at some addresses. It is a hint, never a proof: only a link proves the
/// device's identity.
public struct Sighting: Hashable, Sendable {
    /// The DNS-SD instance name, which stays the same as long as the device is seen.
    public let instance: String
    /// The device's announcement; nil for an address that a person entered.
    public let announcement: Announcement?
    /// The addresses to dial, each with the interface on which it was seen; never empty.
    public let endpoints: [Endpoint]

    /// Creates a sighting. There must be at least one endpoint.
    public init(instance: String, announcement: Announcement?, endpoints: [Endpoint]) {
        self.instance = instance
        self.announcement = announcement
        self.endpoints = endpoints
    }
}
