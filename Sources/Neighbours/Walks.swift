internal import PluginKit

/// Walk requests: asking, answering, taking back, and telling of what came of them.
extension Neighbours {
    /// Answers `walk list`.
    func listWalks() async throws -> JSONValue {
        let names = try await names()
        let requests = try await walks()
        return [
            "requests": .array(requests.map { $0.json(nowMs: nowMs, name: names[$0.person]) })
        ]
    }

    /// Requests, newest first.
    func walks() async throws -> [WalkRequest] {
        try await context.replica.rows(
            WalkRequest.sql, [.null, .integer(Int64(WalkRequest.listedCountMax))]
        ).compactMap { WalkRequest($0, me: context.me) }
    }

    /// The request a command names.
    func walk(_ text: String) async throws -> WalkRequest {
        guard let id = EntityID(text) else {
            throw CommandFault.usage(
                "A walk request is named by 32 hexadecimal digits; see 'walk list'.", field: "id")
        }
        guard let request = try await walk(id) else {
            throw CommandFault.notFound("There is no walk request \(text); see 'walk list'.")
        }
        return request
    }

    /// The request of an id, or nil.
    func walk(_ id: EntityID) async throws -> WalkRequest? {
        try await context.replica.rows(WalkRequest.sql, [.bytes(id.bytes), .integer(1)])
            .first.flatMap { WalkRequest($0, me: context.me) }
    }

    /// Does `walk ask`.
    func askForWalk(_ arguments: Arguments) async throws -> JSONValue {
        let person = try await person(arguments.text("to"), field: "to")
        let point = try Self.point(arguments)
        let message = try TextRule.message.check(arguments.text("message"), field: "message")
        let place = try arguments["place"]?.string.map {
            try TextRule.place.check($0, field: "place")
        }
        let atMs = try arguments["atMs"]?.integer.map(checkedTime)
        guard try await relation(to: person) == .mate else {
            throw CommandFault.refused(
                "Only mates can be asked for a walk; meet this person with a drop first.")
        }
        let fields: [String: Value] = [
            "receiver": .bytes(person.bytes), "latitude": .real(point.latitude),
            "longitude": .real(point.longitude), "message": .text(message),
            "created_ms": .integer(nowMs), "place": place.map { .text($0) } ?? .null,
            "at_ms": atMs.map { .integer($0) } ?? .null,
        ].filter { $0.value != .null }
        let ids = try await author(
            [
                .create(
                    collection: Self.walk.name, nonce: context.random.nonce(), fields: fields)
            ], in: pair(with: person))
        guard let id = ids.first else {
            throw CommandFault.failed("The request was not stored; try again.")
        }
        return try await walkJSON(id.description)
    }

    /// Does `walk accept` and `walk decline`: the answer carries the age it was given at.
    func answerWalk(_ id: String, _ answer: WalkFacts.Answer) async throws -> JSONValue {
        let request = try await walk(id)
        guard request.facts.direction == .received else {
            throw CommandFault.refused("This is your own request; its receiver answers it.")
        }
        let state = request.facts.state(nowMs: nowMs)
        guard state == .pending else { throw Self.notOpen(state) }
        guard try await relation(to: request.person) == .mate else {
            throw CommandFault.refused("You and this person are no mates any more.")
        }
        let age = request.facts.ageMs(nowMs: nowMs)
        try await setWalk(
            request, ["answer": .text(answer.rawValue), "answer_age_ms": .integer(age)])
        try await settleInbox(reference: request.id.description)
        return try await walkJSON(id)
    }

    /// Does `walk cancel`.
    func cancelWalk(_ id: String) async throws -> JSONValue {
        let request = try await walk(id)
        guard request.facts.direction == .sent else {
            throw CommandFault.refused("Only the sender cancels a request; decline it instead.")
        }
        let state = request.facts.state(nowMs: nowMs)
        guard state.isOpen else { throw Self.notOpen(state) }
        try await setWalk(request, ["cancelled": .boolean(true)])
        return try await walkJSON(id)
    }

    /// Does `walk note`: of two notes written apart the later stands, on both sides.
    func noteOnWalk(_ id: String, _ note: String) async throws -> JSONValue {
        let request = try await walk(id)
        let note = try TextRule.message.check(note, field: "note")
        guard try await relation(to: request.person) == .mate else {
            throw CommandFault.refused("You and this person are no mates any more.")
        }
        try await setWalk(request, ["note": .text(note)])
        return try await walkJSON(id)
    }

    /// Does `walk erase`: the request goes from both sides, and with it all that was written on it.
    func eraseWalk(_ id: String) async throws -> JSONValue {
        let request = try await walk(id)
        guard request.facts.direction == .sent else {
            throw CommandFault.refused("Only who asked for the walk erases the request.")
        }
        try await author(
            [.erase(collection: Self.walk.name, entity: request.id)],
            in: pair(with: request.person))
        walkDeadlines[request.id] = nil
        return .object([:])
    }

    private func walkJSON(_ id: String) async throws -> JSONValue {
        let request = try await walk(id)
        return request.json(nowMs: nowMs, name: try await names()[request.person])
    }

    private func setWalk(_ request: WalkRequest, _ fields: [String: Value]) async throws {
        try await author(
            [.set(collection: Self.walk.name, entity: request.id, fields: fields)],
            in: pair(with: request.person))
    }

    private static func notOpen(_ state: WalkState) -> CommandFault {
        let why =
            switch state {
            case .accepted: "it is accepted already"
            case .declined: "it is declined already"
            case .cancelled: "its sender cancelled it"
            default: "it has run out"
            }
        return .conflict("This walk request is not open any more: \(why).")
    }

    private func checkedTime(_ atMs: Int64) throws(CommandFault) -> Int64 {
        guard atMs > nowMs, atMs - nowMs <= WalkFacts.aheadMillisecondsMax else {
            throw .usage("The time of a walk lies ahead, by at most 31 days.", field: "atMs")
        }
        return atMs
    }

    /// Goes through the requests: notes which came too late, tells of new ones in the inbox, and
    /// remembers when open ones run out. Doing it again changes nothing.
    func reconcileWalks() async throws {
        let posted = try await inboxReferences(ofKind: Self.walkKind)
        for request in try await walks() {
            try await reconcile(request, posted: posted)
        }
    }

    private func reconcile(_ request: WalkRequest, posted: [String: Bool]) async throws {
        let state = request.facts.state(nowMs: nowMs)
        walkDeadlines[request.id] = state.isOpen ? request.facts.deadlineMs : nil
        guard request.facts.direction == .received else { return }
        let reference = request.id.description
        if state == .expired, request.facts.isExpired(nowMs: request.arrivedMs ?? nowMs),
            request.facts.answer == nil
        {
            try await setWalk(request, ["missed": .boolean(true)])
        }
        if let isHandled = posted[reference] {
            let isSettled = state == .cancelled || state == .accepted || state == .declined
            if isSettled, !isHandled { try await settleInbox(reference: reference) }
        } else {
            try await postToInbox(Self.inboxItem(for: request))
        }
    }

    /// The word for walk requests in the inbox.
    static let walkKind = "walk"

    private static func inboxItem(for request: WalkRequest) -> InboxItem {
        InboxItem(
            kind: walkKind, reference: request.id.description, title: "A mate asks for a walk",
            body: "", actions: ["accept", "decline"], from: request.person)
    }
}

extension WalkRequest {
    /// What the inbox shows of it.
    func inboxWords(name: String?) -> (title: String, body: String) {
        (
            "\(name ?? "A mate (\(person.suffix))") asks for a walk",
            message + (place.map { " (\($0))" } ?? "")
        )
    }
}
