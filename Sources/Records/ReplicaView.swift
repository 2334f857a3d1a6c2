/// A SQL view over a plugin's own tables and the core's views. Derived state is always a view, so
/// that it is never stored.
public struct ReplicaView: Hashable, Sendable {
    /// The view's name: lower-case letters, digits and underscores, a letter first.
    public let name: String
    /// One SELECT statement.
    public let sql: String

    /// Declares a view.
    public init(name: String, sql: String) {
        self.name = name
        self.sql = sql
    }
}
