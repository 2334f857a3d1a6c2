internal import PluginKit

/// The stored walk requests.
struct WalkTable: Sendable {
    let context: PluginContext

    /// Returns requests in the order of their arrival, newest first.
    func requests() async throws -> [StoredWalk] {
        try await rows(.null, countMax: StoredWalk.listedCountMax)
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
        try await rows(.bytes(id.bytes), countMax: 1).first
    }

    private func rows(_ entity: Value, countMax: Int) async throws -> [StoredWalk] {
        try await context.replica.rows(
            StoredWalk.sql,
            [
                entity, .integer(Int64(countMax)),
                .integer(Int64(StoredWalk.listedPerPersonMax)),
            ]
        ).compactMap { StoredWalk($0, me: context.me) }
    }
}
