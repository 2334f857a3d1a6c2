/// The content of a GPX file in its own order.
public struct GPXContent: Hashable, Sendable {
    /// The name of the first track that has one, at most 65 Unicode scalars of it.
    public let name: String?
    /// The points of each part of its tracks, or its way points as one part if it has no track
    /// points. A point may have no time.
    public let segments: [[Fix]]
}
