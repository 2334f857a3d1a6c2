internal import PluginKit
internal import PostsAPI

// The commands of correspondences, and the record of declined requests.
extension Correspondences {
    /// Performs `posts message`.
    func message(to post: KnownPost, _ text: PostMessageText?) async throws -> PostMessage {
        let person = post.author
        guard person != context.me else { throw Self.fault(.oneself) }
        if try await context.core.relation(to: person) == .mate {
            return PostMessage(
                person: Key(person), name: try await names()[person], state: .mate,
                post: RecordKey(post.id), title: post.title, room: room(with: person),
                note: "You are mates: write in your chat.")
        }
        if session.held(with: person).contains(where: { !$0.isWaiting }) {
            return try await entry(of: person)
        }
        // Asking a person who has asked this one accepts their request.
        if session.asked[person] != nil {
            try await accept(person)
            return try await entry(of: person)
        }
        guard let text = text?.string else {
            throw CommandFault.usage(
                "Say in 1 to 100 characters what it is about, with --text.", field: "text")
        }
        guard text.utf8.count <= CorrespondenceRequest.textBytesMax else {
            throw CommandFault.refused("This text is too long; leave out some of the emoji.")
        }
        try await ask(about: post, text)
        return try await entry(of: person)
    }

    /// Performs `posts accept`.
    func accept(_ request: NamePostPerson) async throws -> PostMessage {
        let person = try await person(request.person)
        try await accept(person)
        return try await entry(of: person)
    }

    /// Performs `posts decline`.
    func decline(_ request: NamePostPerson) async throws -> Done {
        let person = try await person(request.person)
        guard let asked = session.asked[person] else {
            throw CommandFault.conflict("This person does not ask you any more.")
        }
        try await context.replica.author(
            [
                .create(
                    collection: Self.declined.name, nonce: asked.request.id,
                    fields: [
                        "request": .bytes(asked.request.id.bytes),
                        "at_ms": .integer(asked.request.at.milliseconds),
                    ])
            ], in: .own(context.me))
        await perform(session.decline(asked.request.id, of: person))
        return Done()
    }

    /// Performs `posts end`.
    func end(_ request: NamePostPerson) async throws -> Done {
        let person = try await person(request.person)
        let ends = session.end(person)
        guard !ends.isEmpty else {
            throw CommandFault.conflict("There is no conversation with this person.")
        }
        await perform(ends)
        return Done()
    }

    /// Answers `posts messages`.
    func list() async throws -> PostMessages {
        let people = Set(session.facts.held.map(\.person)).union(session.asked.keys)
            .subtracting(session.facts.blocked)
        var entries: [PostMessage] = []
        for person in people.sorted() {
            // A conversation may end while the entries before it are made.
            if let entry = try await entryIfAny(of: person) { entries.append(entry) }
        }
        return PostMessages(
            messages: entries.sorted {
                ($1.atMs ?? .min, $0.person) < ($0.atMs ?? .min, $1.person)
            })
    }

    // MARK: - Entries

    private func entry(of person: PersonID) async throws -> PostMessage {
        guard let entry = try await entryIfAny(of: person) else {
            throw CommandFault.notFound("There is no conversation with this person.")
        }
        return entry
    }

    /// Returns the entry of a person, or nil if nothing waits or is open between us.
    private func entryIfAny(of person: PersonID) async throws -> PostMessage? {
        let held = session.held(with: person)
        let name = try await names()[person]
        let shown = name ?? person.suffix
        if let open = held.first(where: \.stands) {
            return try await entry(
                person, name, .open, requests[open.id] ?? accepted[open.id], at: open.at,
                room: room(with: person))
        }
        if let accepted = held.first(where: { !$0.isMine }) {
            return try await entry(
                person, name, .accepted, nil, at: accepted.at, until: accepted.end,
                note: "The chat opens when you are near \(shown).")
        }
        if let waiting = held.first {
            let isLinked = linked.values.contains(person)
            return try await entry(
                person, name, .waiting, requests[waiting.id], at: waiting.at, until: waiting.end,
                note: isLinked ? "Waits for an answer." : "Waits until you are near \(shown).")
        }
        if let request = session.asked[person]?.request {
            return try await entry(
                person, name, .asking, request, at: request.at, until: request.end)
        }
        return nil
    }

    private func entry(
        _ person: PersonID, _ name: String?, _ state: PostMessage.State,
        _ request: CorrespondenceRequest?, at: Timestamp, until: Timestamp? = nil,
        room: Key? = nil, note: Sentence? = nil
    ) async throws -> PostMessage {
        var (title, text) = (String?.none, request?.text)
        if let request {
            title = try await self.title(of: request)
            // A word may be muted after the request was accepted.
            if request.sender != context.me {
                text = try await context.replica.mutedWords().shown(request.text)
            }
        }
        return PostMessage(
            person: Key(person), name: name, state: state,
            post: request.map { RecordKey($0.post) }, title: title, text: text,
            atMs: at, untilMs: until, room: room, note: note)
    }

    /// Returns the title of the post that a request is about, if the post is here.
    func title(of request: CorrespondenceRequest) async throws -> String? {
        try await KnownPost(request.post, in: context.replica)?.title
    }

    private func room(with person: PersonID) -> Key {
        Key(SpaceDescriptor.between(context.me, person).id)
    }

    /// Returns the person whom a command names.
    private func person(_ named: NameOrKey) async throws -> PersonID {
        let names = try await names()
        return try named.resolve(
            among: session.facts.held.map(\.person) + session.asked.keys, named: { names[$0] },
            what: "person", listedBy: "posts messages")
    }

    /// Returns the names of people: those who are known, then those whom I asked as they call
    /// themselves in the post, and those who ask me as they call themselves in the request. A name
    /// that contains a muted word is left out.
    func names() async throws -> [PersonID: String] {
        var names = try await context.core.names()
        let muted = try await context.replica.mutedWords()
        for request in requests.values.sorted(by: { $0.at < $1.at })
        where names[request.receiver] == nil {
            guard
                let name = try await KnownPost(request.post, in: context.replica)?.authorName,
                !muted.matches(name)
            else { continue }
            names[request.receiver] = request.receiver.called(name)
        }
        for (person, name) in acceptedNames where names[person] == nil && !muted.matches(name) {
            names[person] = person.called(name)
        }
        for (person, asked) in session.asked where names[person] == nil {
            if let name = asked.name, !muted.matches(name) {
                names[person] = person.called(name)
            }
        }
        return names
    }

    // MARK: - Declined requests

    /// A request that I declined, so that no device of mine shows it again.
    static let declined = RecordCollection(
        "posts.declined/1", table: "posts_declined", spaces: [.own], isErasable: true,
        fields: [
            .init(1, "request", .bytes(countMax: 16), merge: .append),
            .init(2, "at_ms", .integer(0...Timestamp.millisecondsMax), merge: .append),
        ])

    func declined() async throws -> Set<Bytes16> {
        Set(
            try await context.replica.rows("SELECT request FROM posts_declined")
                .compactMap { $0.bytes("request").flatMap { Bytes16($0) } })
    }

    /// Erases the record of requests that could not be sent again.
    func eraseOldAnswers() async throws {
        let old = wallTime - PostMessageCommands.waitMax - CorrespondenceRequest.clockErrorMax
        let rows = try await context.replica.rows(
            "SELECT entity FROM posts_declined WHERE at_ms < ?", [.integer(old.milliseconds)])
        let edits = rows.compactMap { $0.entity("entity") }.map {
            Edit.erase(collection: Self.declined.name, entity: $0)
        }
        for start in stride(from: 0, to: edits.count, by: Self.erasedAtOnceMax) {
            try await context.replica.author(
                Array(edits[start..<min(start + Self.erasedAtOnceMax, edits.count)]),
                in: .own(context.me))
        }
    }

    private static let erasedAtOnceMax = 64
}
