import PluginKit

/// A plugin with locations that are found by an area, as the guide shows it.
struct SpotPlugin: Plugin {
    static let spots = RecordCollection(
        "spot.spot/1", table: "spot_spots", spaces: [.own],
        located: .init(latitude: "latitude", longitude: "longitude"),
        fields: [
            .init(1, "latitude", .real),
            .init(2, "longitude", .real),
        ])

    static let manifest = Manifest(id: "spot", version: 1, collections: [spots])

    let context: PluginContext
    init(context: PluginContext) { self.context = context }

    /// Writes a spot at a location, or without one.
    @discardableResult
    func add(_ point: Point?) async throws -> EntityID? {
        try await context.replica.author(
            [
                .create(
                    collection: Self.spots.name, nonce: context.random.nonce(),
                    fields: point.map {
                        ["latitude": .real($0.latitude), "longitude": .real($0.longitude)]
                    } ?? [:])
            ], in: .own(context.me)
        ).first
    }

    /// Returns the next page of spots: those after a distance and an id.
    func page(
        _ nearestSQL: String, in area: Area, after metres: Double = -1, _ entity: [UInt8] = []
    ) async throws -> [Row] {
        let page = try await context.replica.nearest(
            20, in: area, beyond: metres, nearestSQL, [.real(metres), .bytes(entity)])
        return page
    }
}
