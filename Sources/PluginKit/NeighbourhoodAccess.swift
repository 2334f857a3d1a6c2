/// Neighbourhoods: open spaces that a person joined by name, where anybody writes their own
/// records.
///
/// A plugin that declares ``Manifest/Service/neighbourhoods`` and a collection for open spaces may
/// read and write there. The person joins and leaves; a plugin does not:
///
/// ```swift
/// for neighbourhood in try await context.neighbourhoods.joined() {
///     try await context.replica.author(edits, in: neighbourhood.space)
/// }
/// ```
///
/// A record there expires after 30 days, unless it is edited: an edit writes the record anew.
/// A record's creator may be anybody: cut and check what you show, and write nothing because of it.
public protocol NeighbourhoodAccess: Sendable {
    /// Returns the neighbourhoods that this person joined, in the order in which they were joined.
    func joined() async throws -> [Neighbourhood]
    /// Returns the bytes that this person can still write today, by UTC, in a neighbourhood: others
    /// store no more of one person and day. Each batch counts with all its edits.
    func bytesLeftToday(in space: SpaceDescriptor) async throws -> Int
}

/// A neighbourhood that this person joined.
public struct Neighbourhood: Hashable, Sendable {
    /// Its space.
    public let space: SpaceDescriptor
    /// Its name as this person typed it.
    public let name: String

    /// Creates a neighbourhood from its space and its name.
    public init(space: SpaceDescriptor, name: String) {
        self.space = space
        self.name = name
    }
}
