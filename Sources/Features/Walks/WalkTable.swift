internal import PluginKit

/// The stored walk requests.
struct WalkTable: Sendable {
    let context: PluginContext

    /// Returns requests in the order of their arrival, newest first.
    func requests() async throws -> [StoredWalk] {
        try await rows(
            StoredWalk.listSQL,
            [
                .integer(Int64(StoredWalk.listedCountMax)),
                .integer(Int64(StoredWalk.listedPerPersonMax)),
            ])
    }

    /// Returns the request that a command names.
    /// - Throws: ``CommandFault/notFound(_:)`` if there is none, ``CommandFault/conflict(_:)`` if
    ///   the digits begin several ids.
    func request(_ prefix: RecordPrefix) async throws -> StoredWalk {
        try prefix.onlyMatch(
            in: try await requests(prefix.entities, countMax: 2), of: "walk request",
            listedBy: "walk list")
    }

    /// Returns the request with an id, or nil.
    func request(_ id: EntityID) async throws -> StoredWalk? {
        try await requests(id...id, countMax: 1).first
    }

    /// Returns the request with an id in a space, or nil. It reads one row, however many there are.
    func request(_ id: EntityID, in space: SpaceDescriptor) async throws -> StoredWalk? {
        try await rows(StoredWalk.oneSQL, [.bytes(space.id.bytes), .bytes(id.bytes)]).first
    }

    private func requests(
        _ entities: ClosedRange<EntityID>, countMax: Int64
    ) async throws -> [StoredWalk] {
        try await rows(
            StoredWalk.rangeSQL,
            [
                .bytes(entities.lowerBound.bytes), .bytes(entities.upperBound.bytes),
                .integer(countMax),
            ])
    }

    private func rows(_ sql: String, _ arguments: [Value]) async throws -> [StoredWalk] {
        let devices = context.formerDevices.union([context.device])
        return try await context.replica.rows(sql, arguments)
            .compactMap { StoredWalk($0, me: context.me, devices: devices) }
    }
}
