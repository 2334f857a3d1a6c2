/// A type of answers with members that a reader of a table can do without, because other columns
/// say enough, such as coordinates beside the name of a location. On a terminal, a table shows them
/// only if there is room. A single value is shown with all of them, and so is JSON.
///
///     extension WalkRequest: DetailMembers {
///         public static let detailMembers = ["createdMs", "latitude", "longitude"]
///     }
public protocol DetailMembers {
    /// The names in JSON; those that a table shows first if there is room come first.
    static var detailMembers: [String] { get }
}

extension Schema {
    /// The names of an object's members that are details, in the order of ``DetailMembers``.
    public var detailNames: [String] {
        members.compactMap { member in member.detailRank.map { ($0, member.name) } }
            .sorted { $0.0 < $1.0 }.map(\.1)
    }
}
