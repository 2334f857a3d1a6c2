internal import PluginKit

/// Making, changing and deleting promises: what their maker does.
extension Promises {
    /// Does `promise create`.
    func create(_ arguments: Arguments) async throws -> JSONValue {
        var fields = try checked(arguments).filter { $0.value != .null }
        let people = try await mates(arguments.texts("with") ?? [])
        fields["penalty"] = fields["penalty"] ?? .integer(0)
        let group = try await context.groups.create()
        try await context.replica.author(
            [
                .own(collection: Self.promise.name, fields: fields),
                .own(collection: Self.attendance.name, fields: try await introduction()),
            ], in: group)
        try await refresh()
        if case .text(let title) = fields["title"] {
            for person in people {
                try await context.groups.invite(person, to: group, as: .writer, named: title)
            }
        }
        return try await show(group.id.description)
    }

    /// Does `promise edit`.
    func edit(_ arguments: Arguments) async throws -> JSONValue {
        let promise = try await changeable(arguments.text("promise"))
        let fields = try checked(arguments, standingMs: promise.atMs)
        guard !fields.isEmpty else {
            throw CommandFault.usage("Name at least one thing that is to be changed.")
        }
        try await context.replica.author(
            [.own(collection: Self.promise.name, fields: fields)], in: promise.space)
        return try await show(promise.id.description)
    }

    /// Does `promise delete`.
    func delete(_ text: String) async throws -> JSONValue {
        let promise = try await changeable(text)
        try await context.replica.author(
            [.own(collection: Self.promise.name, fields: ["is_deleted": .boolean(true)])],
            in: promise.space)
        try await refresh()
        return .object([:])
    }

    /// A promise of mine that may still be changed: before its time, and before anybody arrived,
    /// so that nobody's arrival is made another.
    func changeable(_ text: String) async throws -> Promise {
        let promise = try await ahead(text)
        guard promise.participants.allSatisfy({ $0.arrivedMs == nil }) else {
            throw CommandFault.conflict("Somebody has arrived already; the promise stays as it is.")
        }
        return promise
    }

    /// A promise of mine whose time is to come.
    func ahead(_ text: String) async throws -> Promise {
        let promise = try await promise(text)
        guard promise.maker == context.me else {
            throw CommandFault.refused("Only who made a promise changes, deletes or invites to it.")
        }
        guard !promise.isDeleted else { throw CommandFault.conflict("This promise is deleted.") }
        guard nowMs < promise.atMs else {
            throw CommandFault.conflict("The time of this promise has come; it stays as it is.")
        }
        return promise
    }

    /// The fields that arguments name, each within its rule; an empty place is none.
    /// - Parameter standingMs: the time that stands, which may be near by now.
    private func checked(
        _ arguments: Arguments, standingMs: Int64? = nil
    ) throws(CommandFault) -> [String: Value] {
        var fields: [String: Value] = [:]
        if let title = arguments["title"]?.string {
            fields["title"] = .text(try PromiseLimits.title.check(title, field: "title"))
        }
        if let atMs = arguments["atMs"]?.integer {
            fields["at_ms"] = .integer(atMs == standingMs ? atMs : try checked(atMs: atMs))
        }
        if let place = arguments["place"]?.string {
            fields["place"] =
                place.isEmpty
                ? .null : .text(try PromiseLimits.place.check(place, field: "place"))
        }
        if let penalty = arguments["penalty"]?.integer {
            guard PromiseLimits.penalties.contains(penalty) else {
                let list = PromiseLimits.penalties.map(String.init).joined(separator: ", ")
                throw .usage("The penalty is one of \(list) potatoes.", field: "penalty")
            }
            fields["penalty"] = .integer(penalty)
        }
        if arguments.has("latitude") || arguments.has("longitude") {
            let point = try Self.point(arguments)
            fields["latitude"] = .real(point.latitude)
            fields["longitude"] = .real(point.longitude)
        }
        return fields
    }

    private func checked(atMs: Int64) throws(CommandFault) -> Int64 {
        guard atMs > nowMs else {
            throw .usage("This time has passed; a promise is for a time to come.", field: "atMs")
        }
        guard atMs - nowMs >= PromiseLimits.noticeMs else {
            throw .usage("A promise is made at least 30 minutes ahead.", field: "atMs")
        }
        guard PromiseLimits.timesMs.contains(atMs) else {
            throw .usage("This time is too far away.", field: "atMs")
        }
        return atMs
    }

    private static func point(_ arguments: Arguments) throws(CommandFault) -> Point {
        guard let latitude = arguments["latitude"]?.number,
            let longitude = arguments["longitude"]?.number
        else { throw .usage("A place has a latitude and a longitude.", field: "latitude") }
        do throws(PointFault) {
            return try Point(latitude: latitude, longitude: longitude)
        } catch {
            switch error {
            case .latitudeOutOfRange: throw .usage(error.description, field: "latitude")
            case .longitudeOutOfRange: throw .usage(error.description, field: "longitude")
            }
        }
    }

    /// The mates that texts name, each once.
    /// - Throws: ``CommandFault/refused(_:)`` for somebody who is no mate.
    func mates(_ texts: [String]) async throws -> [PersonID] {
        var people: [PersonID] = []
        for text in texts {
            let person = try await context.core.person(text, field: "with")
            guard person != context.me else {
                throw CommandFault.refused("This is yourself; you take part in what you make.")
            }
            guard try await context.core.relation(to: person) == .mate else {
                throw CommandFault.refused(
                    "You promise things to mates only, and \(person.suffix) is none; meet them "
                        + "with a drop first.")
            }
            if !people.contains(person) { people.append(person) }
        }
        guard !people.isEmpty else {
            throw CommandFault.usage("Name at least one mate.", field: "with")
        }
        guard people.count < PromiseLimits.peopleCountMax else {
            throw CommandFault.refused(
                "A promise has at most \(PromiseLimits.peopleCountMax) people.")
        }
        return people
    }

    /// What I write of myself: a name that those read who are no mates of mine.
    func introduction() async throws -> [String: Value] {
        guard
            let nickname = try await context.core.myCard()["nickname"]?.string
                .flatMap(PromiseLimits.nickname.clip)
        else { return [:] }
        return ["nickname": .text(nickname)]
    }
}
