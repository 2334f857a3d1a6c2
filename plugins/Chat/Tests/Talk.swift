import ChatAPI
import FeaturesAPI
import Features
import PluginKit
import Records
import TestSupport

@testable import Chat

extension TestNetwork {
    /// Creates a host that runs the core feature set and the chat, and has a name.
    func talker(seed: UInt64, _ nickname: String) async throws -> TestHost {
        let host = try await host(seed: seed, [CoreFeatures.self, Chat.self])
        try await host.call(
            ProfileCommands.edit, .init(nickname: Nickname(nickname), dogName: Text("Bori")))
        try await settle()
        return host
    }

    /// Creates two linked hosts whose people are mates.
    func talkers() async throws -> (TestHost, TestHost) {
        let (ann, ben) = (try await talker(seed: 1, "Ann"), try await talker(seed: 2, "Ben"))
        try await setLink(ann, ben, isUp: true)
        try await befriend(ann, ben, number: 7)
        return (ann, ben)
    }

    /// Writes the proposals of both people, which name one meeting.
    func befriend(_ one: TestHost, _ other: TestHost, number: UInt8) async throws {
        for (from, to) in [(one, other), (other, one)] {
            guard let core = from.plugin(CoreFeatures.self),
                let theirs = to.plugin(CoreFeatures.self),
                let meeting = Bytes16([UInt8](repeating: number, count: 16))
            else { throw CommandFault.failed("the host runs no core plugin") }
            try await core.proposeMate(
                to.me.person, meeting: meeting, card: try await theirs.myCard())
        }
        try await settle()
    }

    /// Creates three linked people in one group, which Ann owns.
    func company() async throws -> Company {
        let ann = try await talker(seed: 1, "Ann")
        let ben = try await talker(seed: 2, "Ben")
        let cem = try await talker(seed: 3, "Cem")
        for (one, other) in [(ann, ben), (ann, cem), (ben, cem)] {
            try await setLink(one, other, isUp: true)
        }
        try await befriend(ann, ben, number: 7)
        try await befriend(ann, cem, number: 8)
        let group = try await ann.createGroup()
        for person in [ben, cem] {
            try await ann.call(GroupCommands.invite, .init(group: group, person: person.key))
            try await settle()
            try await person.call(GroupCommands.accept, .init(group: group))
            try await settle()
        }
        return Company(ann: ann, ben: ben, cem: cem, group: group)
    }
}

/// Three people in a group.
struct Company {
    let ann: TestHost
    let ben: TestHost
    let cem: TestHost
    /// The id of the group and of its room.
    let group: NameOrKey

    var all: [TestHost] { [ann, ben, cem] }
}

/// The shown part of a message in `chat open` and `chat page`.
struct Shown: Hashable {
    let id: RecordKey
    let from: Key
    let text: String
    let atMs: Timestamp
}

extension TestHost {
    /// The key by which others name the room with this host's person.
    var key: NameOrKey { NameOrKey(me.person) }

    /// Begins a group; returns its id, which names its room too.
    func createGroup() async throws -> NameOrKey {
        NameOrKey(try await call(GroupCommands.create, .init(name: Text("Walkers"))).id)
    }

    /// Writes a message; returns its id.
    @discardableResult
    func say(_ text: String, to room: NameOrKey) async throws -> RecordKey {
        try await call(ChatCommands.send, .init(room: room, text: Lines(text))).id
    }

    /// Returns the rooms.
    func rooms() async throws -> [ChatRoom] { try await call(ChatCommands.rooms).rooms }

    /// Returns the room with a person or of a group, or nil.
    func room(_ name: NameOrKey) async throws -> ChatRoom? {
        try await rooms().first {
            NameOrKey($0.id) == name || $0.person.map { NameOrKey($0) } == name
        }
    }

    /// Opens a room.
    @discardableResult
    func open(_ room: NameOrKey, mark: Bool = true) async throws -> ChatPage {
        try await call(ChatCommands.open, .init(room: room, mark: mark))
    }

    /// Returns the messages of a room's newest page without marking them as read.
    func shown(in room: NameOrKey) async throws -> [Shown] {
        try await open(room, mark: false).shown
    }

    /// Returns the texts of a room's newest page.
    func texts(in room: NameOrKey) async throws -> [String] {
        try await shown(in: room).map(\.text)
    }

    /// Returns a message of a room's newest page.
    func message(_ id: RecordKey, in room: NameOrKey) async throws -> ChatMessage? {
        try await open(room, mark: false).messages.first { $0.id == id }
    }

    /// Returns the delivery state of a message of mine.
    func state(of id: RecordKey, in room: NameOrKey) async throws -> MessageState? {
        try await message(id, in: room)?.state
    }

    /// Returns the number of unread messages.
    func unread(in room: NameOrKey) async throws -> Int? {
        try await self.room(room)?.unread.value
    }

    /// Returns the texts that a search finds.
    func found(_ question: String, in room: NameOrKey? = nil) async throws -> [String] {
        try await call(ChatCommands.search, .init(text: Text(question), room: room)).messages
            .map(\.text.string)
    }

    /// Returns the open inbox items of the chat.
    func waiting() async throws -> [InboxList.Item] {
        try await call(InboxCommands.list).items.filter { $0.kind == "chat" && !$0.handled }
    }

    /// Deletes a message.
    func delete(_ id: RecordKey, forEveryone: Bool) async throws {
        try await call(ChatCommands.delete, .init(id: RecordPrefix(id), forEveryone: forEveryone))
    }
}

extension ChatPage {
    /// The messages without the fields that only their author receives.
    var shown: [Shown] {
        messages.map { Shown(id: $0.id, from: $0.from, text: $0.text.string, atMs: $0.atMs) }
    }
}
