internal import PluginKit

/// Where I am, set by hand and kept; and where mates say they are, in memory only.
extension Neighbours {
    /// How long a place may wait to be delivered to a mate who is linked.
    static let placeExpiry = Duration.seconds(30)

    /// My place, where one is set.
    func myPlace() async throws -> Fix? {
        let row = try await context.replica.rows(
            "SELECT * FROM neighbours_place WHERE creator = ?", [.bytes(context.me.bytes)]
        ).first
        guard let row, let latitude = row.real("latitude"), let longitude = row.real("longitude"),
            let point = try? Point(latitude: latitude, longitude: longitude)
        else { return nil }
        return Fix(
            point: point, accuracyMetres: row.real("accuracy_metres"), atMs: row.integer("at_ms"))
    }

    /// Does `location set`.
    func setLocation(_ arguments: Arguments) async throws -> JSONValue {
        let point = try Self.point(arguments)
        let accuracy = arguments["accuracyMetres"]?.number
        guard accuracy.map({ $0.isFinite && $0 >= 0 }) ?? true else {
            throw CommandFault.usage(
                "An accuracy is a number of metres, 0 or more.", field: "accuracyMetres")
        }
        try await writePlace([
            "latitude": .real(point.latitude), "longitude": .real(point.longitude),
            "accuracy_metres": accuracy.map { .real($0) } ?? .null, "at_ms": .integer(nowMs),
        ])
        try await context.location.choose(.hand)
        await context.location.place(try await myPlace())
        return await showLocation()
    }

    /// Does `location clear`.
    func clearLocation() async throws -> JSONValue {
        if try await myPlace() != nil {
            try await writePlace([
                "latitude": .null, "longitude": .null, "accuracy_metres": .null, "at_ms": .null,
            ])
        }
        await context.location.place(nil)
        return .object([:])
    }

    private func writePlace(_ fields: [String: Value]) async throws {
        try await author(
            [.own(collection: Self.place.name, fields: fields)], in: .own(context.me))
    }

    /// The point that a command's `latitude` and `longitude` name.
    static func point(_ arguments: Arguments) throws(CommandFault) -> Point {
        let (latitude, longitude) = (
            try arguments.number("latitude"), try arguments.number("longitude")
        )
        do throws(PointFault) {
            return try Point(latitude: latitude, longitude: longitude)
        } catch {
            switch error {
            case .latitudeOutOfRange: throw .usage(error.description, field: "latitude")
            case .longitudeOutOfRange: throw .usage(error.description, field: "longitude")
            }
        }
    }

    /// Shows my place, or that there is none, to every mate who is linked.
    func showPlaceToMates() async throws {
        for person in Set(linked.values) where try await relation(to: person) == .mate {
            try await showPlace(to: person)
        }
    }

    /// Shows my place to one mate.
    func showPlace(to person: PersonID) async throws {
        let message = try await myPlace().map(PlaceMessage.fix) ?? .gone
        try await context.topics.sendEphemeral(
            Self.locationTopic, message.encoded, to: pair(with: person), expiry: Self.placeExpiry)
    }

    /// Takes a mate's place; anybody else's, and what is no place, is left alone.
    func receivedPlace(_ message: TopicMessage) async throws {
        let person = message.from.person
        guard message.space == pair(with: person), try await relation(to: person) == .mate,
            let place = PlaceMessage(decoding: message.body)
        else { return }
        switch place {
        case .gone: matePlaces[person] = nil
        case .fix(let fix): matePlaces[person] = fix
        }
        await publish(["location"])
    }

    /// A mate's place with its age; a fix from the future is of now.
    func placeJSON(_ fix: Fix) -> JSONValue {
        let atMs = fix.atMs ?? nowMs
        return .record([
            "latitude": .number(fix.point.latitude), "longitude": .number(fix.point.longitude),
            "accuracyMetres": fix.accuracyMetres.map { .number($0) }, "atMs": .integer(atMs),
            "ageSeconds": .integer(max(0, nowMs - atMs) / 1000),
        ])
    }
}
