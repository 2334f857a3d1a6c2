import Neighbours
import PluginKit
import Records
import TestSupport

@testable import Chat

extension TestNetwork {
    /// A host that runs the core feature set and the chat, and has a name.
    func talker(seed: UInt64, _ nickname: String) async throws -> TestHost {
        let host = try await host(seed: seed, [Neighbours.self, Chat.self])
        try await host.run(
            "me", "edit", ["nickname": .string(nickname), "dogName": "Bori"])
        try await settle()
        return host
    }

    /// Two linked hosts whose people are mates.
    func talkers() async throws -> (TestHost, TestHost) {
        let (ann, ben) = (try await talker(seed: 1, "Ann"), try await talker(seed: 2, "Ben"))
        try await setLink(ann, ben, isUp: true)
        try await befriend(ann, ben, number: 7)
        return (ann, ben)
    }

    /// Both propose to each other, naming one meeting.
    func befriend(_ one: TestHost, _ other: TestHost, number: UInt8) async throws {
        for (from, to) in [(one, other), (other, one)] {
            guard let core = from.plugin(Neighbours.self), let theirs = to.plugin(Neighbours.self),
                let meeting = Bytes16([UInt8](repeating: number, count: 16))
            else { throw CommandFault.failed("the host runs no core plugin") }
            try await core.proposeMate(
                to.me.person, meeting: meeting, card: try await theirs.myCard())
        }
        try await settle()
    }

    /// Three linked people in one group, which Ann owns.
    func company() async throws -> Company {
        let ann = try await talker(seed: 1, "Ann")
        let ben = try await talker(seed: 2, "Ben")
        let cem = try await talker(seed: 3, "Cem")
        for (one, other) in [(ann, ben), (ann, cem), (ben, cem)] {
            try await setLink(one, other, isUp: true)
        }
        try await befriend(ann, ben, number: 7)
        try await befriend(ann, cem, number: 8)
        let made = try await ann.run("group", "create", ["name": "Walkers"])
        guard let group = made["id"]?.string else { throw CommandFault.failed("no group") }
        for person in [ben, cem] {
            try await ann.run(
                "group", "invite",
                ["group": .string(group), "person": .string(person.me.person.description)])
            try await settle()
            try await person.run("group", "accept", ["group": .string(group)])
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
    let group: String

    var all: [TestHost] { [ann, ben, cem] }
}

/// What `chat open` and `chat page` show of a message.
struct Shown: Hashable {
    let id: String
    let from: String
    let text: String
    let atMs: Int64
}

extension TestHost {
    /// The key by which others name the room with this host's person.
    var key: String { me.person.description }

    /// Writes a message; returns its id.
    @discardableResult
    func say(_ text: String, to room: String) async throws -> String {
        let message = try await run("chat", "send", ["room": .string(room), "text": .string(text)])
        return message["id"]?.string ?? ""
    }

    /// The rooms.
    func rooms() async throws -> [JSONValue] {
        try await run("chat", "rooms")["rooms"]?.array ?? []
    }

    /// The room with a person or of a group, or nil.
    func room(_ name: String) async throws -> JSONValue? {
        try await rooms().first { $0["id"]?.string == name || $0["person"]?.string == name }
    }

    /// Opens a room.
    @discardableResult
    func open(_ room: String, mark: Bool = true) async throws -> JSONValue {
        try await run("chat", "open", ["room": .string(room), "mark": .boolean(mark)])
    }

    /// The messages of a room's newest page, which stay as unread as they are.
    func shown(in room: String) async throws -> [Shown] {
        try await open(room, mark: false).shown
    }

    /// The texts of a room's newest page.
    func texts(in room: String) async throws -> [String] {
        try await shown(in: room).map(\.text)
    }

    /// How far a message of mine has come.
    func state(of id: String, in room: String) async throws -> String? {
        try await open(room, mark: false).messages.first { $0["id"]?.string == id }?["state"]?.string
    }

    /// Messages that are not read.
    func unread(in room: String) async throws -> Int64? {
        try await self.room(room)?["unread"]?.integer
    }

    /// The texts that a search finds.
    func found(_ question: String, in room: String? = nil) async throws -> [String] {
        var arguments: [String: JSONValue] = ["text": .string(question)]
        arguments["room"] = room.map { .string($0) }
        return try await run("chat", "search", arguments).messages.compactMap { $0["text"]?.string }
    }

    /// The inbox items of the chat that wait.
    func waiting() async throws -> [JSONValue] {
        try await run("inbox", "list")["items"]?.array?
            .filter { $0["kind"] == "chat" && $0["handled"] == false } ?? []
    }
}

extension JSONValue {
    /// The messages of an answer.
    var messages: [JSONValue] { self["messages"]?.array ?? [] }

    /// The same as values.
    var shown: [Shown] {
        messages.map {
            Shown(
                id: $0["id"]?.string ?? "", from: $0["from"]?.string ?? "",
                text: $0["text"]?.string ?? "", atMs: $0["atMs"]?.integer ?? 0)
        }
    }
}
