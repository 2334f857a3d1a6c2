internal import ChatAPI
internal import PluginKit
internal import PromisesAPI
internal import Records
internal import TestSupport

/// People's actions in rooms.
extension Resident {
    /// Writes one or a few messages to a room.
    func say() async {
        guard let room = await openRooms().randomElement(by: chance) else { return }
        for _ in 0..<chance.draw([(1, 6), (2, 2), (5, 1)]) { await say(in: room) }
    }

    private func say(in room: String) async {
        let page = await give(
            ChatCommands.page, try .init(room: NameOrKey(room), limit: MessageCount(1))
        ).value
        let text = "\(chance.letters()) said by \(node.name) 산책하자"
        let index = book.with { state in
            state.messages.append(
                DayBook.Message(
                    text: text, room: room, author: id, id: nil,
                    after: page?.messages.last?.id.string))
            return state.messages.count - 1
        }
        let answer = await give(
            ChatCommands.send, try .init(room: NameOrKey(room), text: MessageText(text)))
        switch answer {
        case .done(let message):
            book.with { $0.messages[index].id = message.id.string }
            world.count("messages")
        case .refused: book.with { $0.messages[index].isErased.settle(true) }
        case .unknown: break
        }
    }

    /// Returns the ids of the rooms that the person may write in.
    private func openRooms() async -> [String] {
        let answer = await give(ChatCommands.rooms).value
        return (answer?.rooms ?? []).filter(\.canSend).map(\.id.string).sorted()
    }

    /// Opens a room, which marks its messages as read.
    func read() async {
        guard let room = await openRooms().randomElement(by: chance) else { return }
        let before = await othersMessages(in: room)
        let answer = await give(ChatCommands.open, try .init(room: NameOrKey(room)))
        let after = await othersMessages(in: room)
        let isSure = answer.value != nil && before != nil && before == after
        if case .refused = answer { return }
        book.with { state in
            let seen = (before ?? []).union(after ?? [])
            if isSure {
                state.read[id, default: []].formUnion(seen)
            } else {
                state.maybeRead[id, default: []].formUnion(seen)
            }
        }
        world.count("rooms opened")
    }

    /// Returns the ids of others' messages in a room, or nil.
    func othersMessages(in room: String) async -> Set<String>? {
        let rows = try? await node.rows(
            """
            SELECT m.entity AS entity FROM chat_message m JOIN waggle_space s ON s.space = m.space
            WHERE lower(hex(s.id)) = ? AND m.creator <> ? AND m.text IS NOT NULL
            """, [.text(room), .bytes(id.bytes)])
        return rows.map { Set($0.compactMap { $0.entity("entity")?.description }) }
    }

    /// Searches for an own message, which must be found, and lists the person's promises.
    func look() async {
        _ = await give(PromiseCommands.today)
        _ = await give(PromiseCommands.ledger)
        _ = await give(PromiseCommands.list, .init())
        let mine = book.with { state in
            state.messages.filter {
                $0.author == id && $0.id != nil && $0.isErased.values == [false]
            }
        }
        guard let said = chance.one(of: mine) else { return }
        let word = String(said.text.prefix(12))
        let found = await give(ChatCommands.search, try .init(text: SearchText(word))).value
        let isHidden = book.with { $0.hidden[id]?[said.id ?? ""] != nil }
        if let found, !isHidden,
            !found.messages.contains(where: { $0.id.string == said.id })
        {
            world.violated("\(node.name) does not find what it said: \(said.text)")
        }
        world.count("searches")
    }

    /// Deletes a message for this person alone.
    func forget() async {
        guard let room = await openRooms().randomElement(by: chance),
            let page = await give(ChatCommands.page, try .init(room: NameOrKey(room))).value,
            let message = chance.one(of: page.messages)?.id
        else { return }
        book.with {
            $0.hidden[id, default: [:]][message.string, default: Told(false)].attempt(true)
        }
        let answer = await give(ChatCommands.delete, .init(id: RecordPrefix(message)))
        book.with { $0.hidden[id]?[message.string]?.conclude(true, answer) }
        if answer.value != nil { world.count("messages hidden") }
    }

    /// Deletes an own message for everyone.
    func unsay() async {
        let rooms = Set(await openRooms())
        let mine = book.with { state in
            state.messages.indices.filter { index in
                let said = state.messages[index]
                return said.author == id && said.id != nil && rooms.contains(said.room)
                    && said.isErased.values == [false]
            }
        }
        guard let index = chance.one(of: mine) else { return }
        let message = book.with { state in
            state.messages[index].isErased.attempt(true)
            return state.messages[index].id ?? ""
        }
        let answer = await give(
            ChatCommands.delete, try .init(id: RecordPrefix(RecordKey(message)), forEveryone: true))
        book.with { $0.messages[index].isErased.conclude(true, answer) }
        if answer.value != nil { world.count("messages deleted for all") }
    }
}

extension [String] {
    func randomElement(by chance: Chance) -> String? { chance.one(of: self) }
}

extension Chance {
    /// Returns twelve letters that no other draw returns.
    func letters() -> String {
        String((0..<12).map { _ in Character(UnicodeScalar(UInt8(97 + number(0...25)))) })
    }
}
