import FeaturesAPI
import PluginKit
import TestSupport
import Testing

@testable import Chat

/// The cost of many changes at once, and the messages that count as new among them.
@Suite struct NewsTests {
    /// Returns the changes that report all messages of others that a host holds, as a rebuild does.
    private func changes(at host: TestHost) async throws -> [RecordChange] {
        try await host.rows(
            """
            SELECT m.entity AS entity, m.creator AS creator, s.descriptor AS descriptor
            FROM chat_message m JOIN waggle_space s ON s.space = m.space WHERE m.creator <> ?
            """, [.bytes(host.me.person.bytes)]
        ).compactMap { row in
            guard let entity = row.entity("entity"), let author = row.person("creator"),
                let space = row.descriptor("descriptor")
            else { return nil }
            return RecordChange(
                collection: Chat.message.name, space: space, entity: entity, author: author,
                isOwn: false)
        }
    }

    /// Creates a company in which Ben and Cem each write the given number of messages to Ann, and
    /// Ann handles both items in the inbox.
    private func written(_ count: Int, _ network: TestNetwork) async throws -> Company {
        let company = try await network.company()
        for host in [company.ben, company.cem] {
            for number in 0..<count { try await host.say("\(number)", to: company.ann.key) }
        }
        try await network.settle()
        for item in try await company.ann.waiting() {
            try await company.ann.call(InboxCommands.handle, .init(id: RecordPrefix(item.id)))
        }
        return company
    }

    /// Returns the number of reads that Ann needs to process changes.
    private func readsCount(_ ann: TestHost, of changes: [RecordChange]) async throws -> Int {
        let chat = try #require(ann.plugin(Chat.self))
        _ = ann.resetReadsCount()
        try await chat.applied(changes)
        return ann.resetReadsCount()
    }

    /// Returns changes of the given number of messages that are not stored, as if they had been
    /// deleted.
    private func gone(_ count: Int, like change: RecordChange) throws -> [RecordChange] {
        try (0..<count).map { number in
            var bytes = [UInt8](repeating: 0, count: 8)
            bytes.append(bigEndian: UInt64(number))
            return RecordChange(of: try #require(EntityID(bytes: bytes)), like: change)
        }
    }

    @Test func `many messages in several rooms cost as many reads as one`() async throws {
        try await TestNetwork.with { network in
            let ann = try await written(1, network).ann
            let rooms = try await changes(at: ann)
            #expect(rooms.count == 2)
            // No change is shown, so all of them must be looked up.
            let one = try gone(1, like: rooms[0])
            let many = try rooms.flatMap { try gone(50, like: $0) }
            let readsForOne = try await readsCount(ann, of: one)
            #expect(try await readsCount(ann, of: many) == readsForOne)
            #expect(try await ann.waiting().isEmpty)
        }
    }

    @Test func `each handled room comes back only with a new message in it`() async throws {
        try await TestNetwork.with { network in
            let company = try await written(2, network)
            let (ann, cem) = (company.ann, company.cem)
            #expect(try await ann.waiting().isEmpty)
            let chat = try #require(ann.plugin(Chat.self))
            let changes = try await changes(at: ann)
            try await chat.applied(changes.filter { $0.author == cem.me.person })
            #expect(try await ann.waiting().map(\.title) == ["New messages from Cem"])
            try await chat.applied(changes)
            #expect(try await ann.waiting().count == 2)
        }
    }

    @Test(arguments: [ChatLimits.askedCountMax - 1, ChatLimits.askedCountMax])
    func `a shown message is found after as many missing ones as one read looks up, and more`(
        deleted: Int
    ) async throws {
        try await TestNetwork.with { network in
            let company = try await written(1, network)
            let ann = company.ann
            let chat = try #require(ann.plugin(Chat.self))
            let shown = try #require(
                try await changes(at: ann).first { $0.author == company.ben.me.person })
            let gone = try gone(deleted, like: shown)
            try await chat.applied(gone)
            #expect(try await ann.waiting().isEmpty)
            try await chat.applied(gone + [shown])
            #expect(try await ann.waiting().count == 1)
        }
    }
}
