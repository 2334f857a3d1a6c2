internal import PluginKit

/// The stored walk requests.
struct WalkTable: Sendable {
    let context: PluginContext

    /// Returns requests, newest first.
    func requests() async throws -> [StoredWalk] {
        try await context.replica.rows(
            StoredWalk.sql, [.null, .integer(Int64(StoredWalk.listedCountMax))]
        ).compactMap { StoredWalk($0, me: context.me) }
    }

    /// Returns the request that a command names.
    /// - Throws: ``CommandFault/notFound(_:)`` if there is none.
    func request(_ id: RecordKey) async throws -> StoredWalk {
        guard let request = try await request(EntityID(id)) else {
            throw CommandFault.notFound("There is no walk request \(id); see 'walk list'.")
        }
        return request
    }

    /// Returns the request with an id, or nil.
    func request(_ id: EntityID) async throws -> StoredWalk? {
        try await context.replica.rows(StoredWalk.sql, [.bytes(id.bytes), .integer(1)])
            .first.flatMap { StoredWalk($0, me: context.me) }
    }
}
