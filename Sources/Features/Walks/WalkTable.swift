internal import PluginKit

/// The stored walk requests.
struct WalkTable: Sendable {
    let context: PluginContext

    /// Returns requests in the order of their arrival, newest first.
    func requests() async throws -> [StoredWalk] {
        try await rows(nil, countMax: StoredWalk.listedCountMax)
    }

    /// Returns the request that a command names.
    /// - Throws: ``CommandFault/notFound(_:)`` if there is none, ``CommandFault/conflict(_:)`` if
    ///   the digits begin several ids.
    func request(_ prefix: RecordPrefix) async throws -> StoredWalk {
        try prefix.onlyMatch(
            in: try await rows(prefix.entities, countMax: 2), of: "walk request",
            listedBy: "walk list")
    }

    /// Returns the request with an id, or nil.
    func request(_ id: EntityID) async throws -> StoredWalk? {
        try await rows(id...id, countMax: 1).first
    }

    private func rows(_ entities: ClosedRange<EntityID>?, countMax: Int) async throws
        -> [StoredWalk]
    {
        try await context.replica.rows(
            StoredWalk.sql,
            [
                entities.map { .bytes($0.lowerBound.bytes) } ?? .null,
                entities.map { .bytes($0.upperBound.bytes) } ?? .null,
                .integer(Int64(countMax)), .integer(Int64(StoredWalk.listedPerPersonMax)),
            ]
        ).compactMap { StoredWalk($0, me: context.me) }
    }
}
