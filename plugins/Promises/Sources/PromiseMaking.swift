internal import PluginKit
internal import PromisesAPI

/// The commands with which the maker creates, changes and deletes a promise.
extension Promises {
    /// Performs `promise create`.
    func create(_ request: CreatePromise) async throws -> PromiseDetail {
        let terms = try await terms(of: request)
        var fields: [String: Value] = [
            "title": .text(terms.title),
            "at_ms": .integer(try checked(terms.at).milliseconds),
            "latitude": .real(terms.point.latitude), "longitude": .real(terms.point.longitude),
            "penalty": try Self.penalty(request.penalty?.value ?? 0),
        ]
        if let name = terms.locationName, !name.isEmpty { fields["place"] = .text(name) }
        let people = try await mates(request.with)
        let group = try await context.groups.create()
        try await context.replica.author(
            [
                .own(collection: Self.promise.name, fields: fields),
                .own(collection: Self.attendance.name, fields: try await introduction()),
            ], in: group)
        try await refresh()
        for person in people {
            try await context.groups.invite(
                person, to: group, as: .writer, named: terms.title)
        }
        return try await show(group.id)
    }

    /// Performs `promise edit`.
    func edit(_ request: EditPromise) async throws -> PromiseDetail {
        let promise = try await changeable(request.promise)
        var fields: [String: Value] = [:]
        fields["title"] = request.title.map { .text($0.string) }
        // An unchanged time may be less than the notice away by now.
        if let at = request.atMs {
            fields["at_ms"] = .integer((at == promise.at ? at : try checked(at)).milliseconds)
        }
        fields["place"] = request.locationName.map { $0.string.isEmpty ? .null : .text($0.string) }
        fields["penalty"] = try request.penalty.map { try Self.penalty($0.value) }
        if let point = try Point(named: request.latitude, request.longitude) {
            fields["latitude"] = .real(point.latitude)
            fields["longitude"] = .real(point.longitude)
        }
        try await context.replica.author(
            [.own(collection: Self.promise.name, fields: fields)], in: promise.space)
        return try await show(promise.id)
    }

    /// Performs `promise delete`.
    func delete(_ request: PromiseReference) async throws -> Done {
        let promise = try await changeable(request.promise)
        try await context.replica.author(
            [.own(collection: Self.promise.name, fields: ["is_deleted": .boolean(true)])],
            in: promise.space)
        try await refresh()
        return Done()
    }

    /// Returns a promise of mine that can still be changed: its time has not come, and no
    /// participant has arrived, so that no rank is lost.
    private func changeable(_ wanted: NameOrKey) async throws -> Promise {
        let promise = try await ahead(wanted)
        guard promise.participants.allSatisfy({ $0.arrived == nil }) else {
            throw CommandFault.conflict("Someone has arrived already; the promise stays as it is.")
        }
        return promise
    }

    /// Returns a promise of mine whose time has not come.
    func ahead(_ wanted: NameOrKey) async throws -> Promise {
        let promise = try await promise(wanted)
        guard promise.maker == context.me else {
            throw CommandFault.refused(
                "Only the maker can change or delete a promise, or invite people to it.")
        }
        guard !promise.isDeleted else { throw CommandFault.conflict("This promise is deleted.") }
        guard now < promise.at else {
            throw CommandFault.conflict("The time of this promise has come; it stays as it is.")
        }
        return promise
    }

    /// Checks the time of a promise that is made or moved now.
    private func checked(_ at: Timestamp) throws(CommandFault) -> Timestamp {
        guard at > now else {
            throw .refused("This time has passed; choose one in the future.")
        }
        guard at - now >= PromiseLimits.notice else {
            throw .refused("A promise must be at least 30 minutes ahead.")
        }
        guard at <= PromiseLimits.latest else {
            throw .refused("This time is too far away.")
        }
        return at
    }

    private static func penalty(_ potatoes: Int) throws(CommandFault) -> Value {
        guard PromiseLimits.penalties.contains(potatoes) else {
            let list = PromiseLimits.penalties.map(String.init).joined(separator: ", ")
            throw .refused("The penalty must be one of these numbers of potatoes: \(list).")
        }
        return .integer(Int64(potatoes))
    }

    /// Returns the mates that a command names, each once.
    /// - Throws: ``CommandFault/refused(_:)`` for a person who is not a mate.
    func mates(_ named: [NameOrKey]) async throws -> [PersonID] {
        var people: [PersonID] = []
        for wanted in named {
            let person = try await context.core.person(wanted)
            guard person != context.me else {
                throw CommandFault.refused(
                    "This is you; you always take part in your own promises.")
            }
            guard try await context.core.relation(to: person) == .mate else {
                throw CommandFault.refused(
                    "You can make promises only with mates, and \(person.suffix) is not one; meet "
                        + "them first.")
            }
            if !people.contains(person) { people.append(person) }
        }
        guard !people.isEmpty else { throw CommandFault.refused("Name at least one mate.") }
        guard people.count < PromiseLimits.peopleCountMax else {
            throw CommandFault.refused(
                "A promise has at most \(PromiseLimits.peopleCountMax) people.")
        }
        return people
    }

    /// Returns the fields about myself: a name for participants who are not my mates.
    func introduction() async throws -> [String: Value] {
        guard
            let nickname = try await context.core.myCard().nickname
                .flatMap(TextRule.nickname.clip)
        else { return [:] }
        return ["nickname": .text(nickname)]
    }
}
