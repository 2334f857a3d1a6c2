internal import ChatAPI
internal import PluginKit
internal import Records
internal import TestSupport

/// The checks of rooms at rest.
extension DayChecks {
    /// A message as a room shows it.
    private struct Shown: Hashable {
        let id: String
        let text: String
        let from: String
    }

    /// Checks that all replicas of a room have the same messages in the same order, each once, and
    /// that these are exactly the messages that were sent and not deleted.
    func roomsAreEqual() async throws {
        let said = book.with { $0.messages }
        for room in Set(said.map(\.room)).sorted() {
            var first: (name: String, messages: [Shown])?
            for resident in residents where isIn(resident, room) {
                let messages = try await shown(room, to: resident)
                compare(messages, said.filter { $0.room == room }, at: resident)
                let common = messages.filter { !isHiddenByAnybody($0.id) }
                if let first, first.messages != common {
                    world.violated(
                        "\(first.name) and \(resident.node.name) show different messages in \(room)"
                    )
                }
                first = first ?? (resident.node.name, common)
                world.count("rooms compared")
            }
        }
    }

    /// Whether a person is certainly in a room.
    private func isIn(_ resident: Resident, _ room: String) -> Bool {
        if book.promise(room) != nil { return stays(resident, in: room) }
        return residents.contains {
            SpaceDescriptor.between(resident.id, $0.id).id.description == room
        }
    }

    private func isHiddenByAnybody(_ id: String) -> Bool {
        book.with { state in state.hidden.values.contains { $0[id] != nil } }
    }

    /// Returns the whole room, page by page from its end.
    private func shown(_ room: String, to resident: Resident) async throws -> [Shown] {
        var messages: [Shown] = []
        var request = ShowPage(room: try NameOrKey(room), limit: try MessageCount(7))
        while true {
            let page = try await resident.node.call(ChatCommands.page, request)
            let older = page.messages.map {
                Shown(id: $0.id.string, text: $0.text.string, from: $0.from.string)
            }
            messages = older + messages
            guard let before = page.before else { return messages }
            request.before = before
        }
    }

    private func compare(_ messages: [Shown], _ said: [DayBook.Message], at resident: Resident) {
        let name = resident.node.name
        let texts = messages.map(\.text)
        if Set(texts).count != texts.count { world.violated("\(name) shows a message twice") }
        let hidden = book.with { $0.hidden[resident.id] ?? [:] }
        let indexes = Dictionary(
            messages.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: min)
        for one in said {
            guard let id = one.id else { continue }
            let isHidden = hidden[id]
            if let index = indexes[id] {
                if one.isErased.sure == true { world.violated("\(name) shows deleted \(one.text)") }
                if isHidden?.sure == true { world.violated("\(name) shows hidden \(one.text)") }
                if messages[index].text != one.text || messages[index].from != "\(one.author)" {
                    world.violated("\(name) shows \(messages[index]) for \(one.text)")
                }
                if let before = one.after.flatMap({ indexes[$0] }), before > index {
                    world.violated("\(name) shows \(one.text) before what it answers")
                }
            } else if one.isErased.sure == false, isHidden == nil, !mayHaveLeft(one) {
                world.violated("\(name) does not show \(one.text)")
            }
            world.count("messages compared")
        }
        let known = Set(said.map(\.text))
        for text in texts where !known.contains(text) {
            world.violated("\(name) shows a message that was never sent: \(text)")
        }
    }

    /// Whether a message may count nowhere: its author had left the promise, which their node
    /// forgot because an older home was restored.
    private func mayHaveLeft(_ said: DayBook.Message) -> Bool {
        let standing = book.promise(said.room)?.standings[said.author]
        return standing.map { $0.isDoubted && $0.values.contains(.left) } ?? false
    }

    /// Checks the unread messages: messages of others that are shown and arrived after the room was
    /// opened. Messages on a side of a fork may be unread again.
    func unreadIsRight(for resident: Resident) async throws {
        let rooms = try await resident.node.call(ChatCommands.rooms).rooms
        let (read, maybe, hidden) = book.with { state in
            (
                state.read[resident.id] ?? [], state.maybeRead[resident.id] ?? [],
                state.hidden[resident.id] ?? [:]
            )
        }
        for room in rooms where room.canSend {
            let id = room.id.string
            guard let others = await resident.othersMessages(in: id) else { continue }
            let unread = others.subtracting(read).filter { hidden[$0]?.sure != true }
            let sure = unread.subtracting(maybe).filter { hidden[$0] == nil }
            let again = try await forkedMessages(in: id, at: resident).intersection(read)
                .filter { others.contains($0) && hidden[$0]?.sure != true }
            let most = unread.count + again.count
            if !(sure.count...most).contains(room.unread.value) {
                world.violated(
                    "\(resident.node.name) counts \(room.unread) unread in \(id), "
                        + "and \(sure.count) to \(most) are")
            }
            world.count("unread counts compared")
        }
    }

    /// Returns the messages of a room that are on a side of a fork.
    private func forkedMessages(
        in room: String, at resident: Resident
    ) async throws -> Set<String> {
        let rows = try await resident.node.rows(
            """
            SELECT m.entity AS entity FROM chat_message m JOIN waggle_space s ON s.space = m.space
            WHERE lower(hex(s.id)) = ? AND m.log IN (SELECT log FROM waggle_fork)
            """, [.text(room)])
        return Set(rows.compactMap { $0.entity("entity")?.description })
    }
}
