import PluginKit
import TestSupport
import Testing

@testable import Chat

/// How far a message has come, what is unread, and where the divider stands.
@Suite struct ReadingTests {
    @Test func `a message is queued, delivered and read, and its writer sees it`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await network.setLink(ann, ben, isUp: false)
            let id = try await ann.say("Hello", to: ben.key)
            #expect(try await ann.state(of: id, in: ben.key) == "queued")
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await ann.state(of: id, in: ben.key) == "delivered")
            try await ben.open(ann.key)
            #expect(try await ann.state(of: id, in: ben.key) == "delivered")
            try await network.settle()
            #expect(try await ann.state(of: id, in: ben.key) == "read")
            #expect(ann.takeEvents().contains("chat"))
        }
    }

    @Test func `a message to somebody who is linked is sent until they have it`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let id = try await ann.say("Hello", to: ben.key)
            #expect(try await ann.state(of: id, in: ben.key) == "sent")
            try await network.setLink(ann, ben, isUp: false)
            #expect(try await ann.state(of: id, in: ben.key) == "queued")
        }
    }

    @Test func `in a group a message is delivered and read when everybody has done so`()
        async throws
    {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, ben, cem) = (company.ann, company.ben, company.cem)
            try await network.setLink(ann, cem, isUp: false)
            try await network.setLink(ben, cem, isUp: false)
            let id = try await ann.say("Hello all", to: company.group)
            try await network.settle()
            #expect(try await ann.state(of: id, in: company.group) == "sent")
            try await ben.open(company.group)
            try await network.settle()
            #expect(try await ann.state(of: id, in: company.group) == "sent")
            let message = try await ann.open(company.group).messages.first
            #expect(message?["read"] == 1 && message?["delivered"] == 1)
            #expect(message?["receivers"] == 2)
            // Cem has it from Ben, and says himself that he read it.
            try await network.setLink(ben, cem, isUp: true)
            try await cem.open(company.group)
            try await network.settle()
            #expect(try await ann.state(of: id, in: company.group) == "read")
        }
    }

    @Test func `the divider stands above the first unread message until it is read`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("old", to: ben.key)
            try await network.settle()
            try await ben.open(ann.key)
            let first = try await ann.say("new", to: ben.key)
            try await ann.say("newer", to: ben.key)
            try await network.settle()
            #expect(try await ben.unread(in: ann.key) == 2)
            let opened = try await ben.open(ann.key)
            #expect(opened["firstUnread"]?.string == first)
            #expect(opened.shown.map(\.text) == ["old", "new", "newer"])
            #expect(try await ben.unread(in: ann.key) == 0)
            #expect(try await ben.open(ann.key)["firstUnread"] == nil)
            #expect(try await ann.unread(in: ben.key) == 0)
        }
    }

    @Test func `opening without marking leaves unread what is unread`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("new", to: ben.key)
            try await network.settle()
            for _ in 0..<2 {
                #expect(try await ben.open(ann.key, mark: false)["firstUnread"] != nil)
                try await ben.run("chat", "page", ["room": .string(ann.key)])
                #expect(try await ben.unread(in: ann.key) == 1)
            }
        }
    }

    @Test func `what arrives late is unread though later messages were read`() async throws {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, ben, cem) = (company.ann, company.ben, company.cem)
            try await network.setLink(ann, cem, isUp: false)
            try await network.setLink(ben, cem, isUp: false)
            let late = try await cem.say("early and late", to: company.group)
            try await network.pass(seconds: 10)
            try await ben.say("later", to: company.group)
            try await network.settle()
            try await ann.open(company.group)
            #expect(try await ann.unread(in: company.group) == 0)
            try await network.setLink(ann, cem, isUp: true)
            #expect(try await ann.unread(in: company.group) == 1)
            let opened = try await ann.open(company.group)
            #expect(opened["firstUnread"]?.string == late)
            #expect(opened.shown.map(\.text) == ["early and late", "later"])
            #expect(try await ann.unread(in: company.group) == 0)
        }
    }

    @Test func `nothing puts back what was read`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            for number in 0..<3 { try await ann.say("\(number)", to: ben.key) }
            try await network.settle()
            try await ben.open(ann.key)
            // As another device of Ben's would say that has read less.
            try await ben.write(
                [
                    .create(
                        collection: Chat.reading.name, nonce: .zero,
                        fields: [
                            "device": .bytes(ann.me.device.bytes), "reached": .integer(0),
                        ])
                ], in: .between(ann.me.person, ben.me.person))
            try await network.settle()
            #expect(try await ben.unread(in: ann.key) == 0)
        }
    }

    @Test func `reading twice writes once`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("Hello", to: ben.key)
            try await network.settle()
            try await ben.open(ann.key)
            let count = { try await ben.rows("SELECT count(*) AS n FROM batch")[0].integer("n") }
            let before = try await count()
            try await ben.open(ann.key)
            #expect(try await count() == before)
        }
    }

    @Test func `a message touches no other row`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await network.setLink(ann, ben, isUp: false)
            for number in 0..<3 { try await ann.say("\(number)", to: ben.key) }
            let before = try await tables(of: ann)
            try await ann.say("3", to: ben.key)
            let after = try await tables(of: ann)
            var changed: [String: Int] = [:]
            var added: [String: Int] = [:]
            for (table, rows) in after {
                let known = before[table] ?? []
                changed[table] = known.count { !rows.contains($0) }
                added[table] = rows.count { !known.contains($0) }
            }
            #expect(changed.filter { $0.value > 0 } == [:])
            #expect(
                added.filter { $0.value > 0 } == [
                    "batch": 1, "register": 1, "mention": 1, "chat_message": 1,
                    "chat_message_found": 1,
                ])
        }
    }

    /// All rows of all tables but those that FTS5 keeps for itself.
    private func tables(of host: TestHost) async throws -> [String: [Row]] {
        let names = try await host.rows(
            """
            SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
                AND name NOT LIKE 'chat_message_search%'
            """)
        var tables: [String: [Row]] = [:]
        for name in names.compactMap({ $0.text("name") }) {
            tables[name] = try await host.rows("SELECT * FROM \"\(name)\"")
        }
        return tables
    }

    // MARK: The inbox

    @Test func `the inbox names a room with something unread, once, and not what was written`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            for number in 0..<3 {
                try await ann.say("secret \(number)", to: ben.key)
                try await network.settle()
            }
            let items = try await ben.waiting()
            #expect(items.count == 1)
            #expect(items.first?["body"]?.string?.contains("Ann") == true)
            #expect(items.first?["body"]?.string?.contains("secret") == false)
            #expect(try await ann.waiting().isEmpty)
            try await ben.open(ann.key)
            #expect(try await ben.waiting().isEmpty)
            try await ann.say("again", to: ben.key)
            try await network.settle()
            #expect(try await ben.waiting().count == 1)
        }
    }

    @Test func `a restart leaves the inbox as it was`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("Hello", to: ben.key)
            try await network.settle()
            await ben.start()
            try await network.settle()
            #expect(try await ben.waiting().count == 1)
            #expect(try await ben.unread(in: ann.key) == 1)
        }
    }

    @Test func `what was dealt with in the inbox comes back with the next message alone`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("one", to: ben.key)
            try await network.settle()
            let id = try #require(try await ben.waiting().first?["id"])
            try await ben.run("inbox", "handle", ["id": id])
            await ben.start()
            try await network.settle()
            #expect(try await ben.waiting().isEmpty)
            #expect(try await ben.unread(in: ann.key) == 1)
            try await ann.say("two", to: ben.key)
            try await network.settle()
            #expect(try await ben.waiting().count == 1)
        }
    }

    // MARK: Receipts

    private let people = (1...3).compactMap { PersonID(bytes: [UInt8](repeating: $0, count: 32)) }

    @Test func `each piece of evidence says how far a message has come, and no further`() {
        var receipts = Receipts(receivers: Set(people.prefix(2)), isLinked: false)
        #expect(receipts.state(log: 1, number: 5) == .queued)
        receipts.noteHeld(log: 1, through: 5, by: people[2])
        #expect(receipts.state(log: 1, number: 5) == .sent)
        #expect(receipts.state(log: 1, number: 6) == .queued)
        #expect(receipts.state(log: 2, number: 5) == .queued)
        receipts.noteHeld(log: 1, through: 5, by: people[0])
        #expect(receipts.state(log: 1, number: 5) == .sent)
        receipts.noteHeld(log: 1, through: 6, by: people[1])
        #expect(receipts.state(log: 1, number: 5) == .delivered)
        #expect(receipts.state(log: 1, number: 6) == .sent)
        receipts.noteRead(log: 1, through: 5, by: people[0])
        #expect(receipts.state(log: 1, number: 5) == .delivered)
        receipts.noteRead(log: 1, through: 4, by: people[1])
        #expect(receipts.state(log: 1, number: 5) == .delivered)
        #expect(receipts.state(log: 1, number: 4) == .read)
    }

    @Test func `what was read was delivered, and an older word takes nothing back`() {
        var receipts = Receipts(receivers: [people[0]], isLinked: false)
        receipts.noteRead(log: 1, through: 5, by: people[0])
        receipts.noteHeld(log: 1, through: 2, by: people[0])
        receipts.noteRead(log: 1, through: 3, by: people[0])
        #expect(receipts.deliveredCount(log: 1, number: 5) == 1)
        #expect(receipts.state(log: 1, number: 5) == .read)
    }

    @Test func `a message to nobody is never delivered`() {
        var receipts = Receipts(receivers: [], isLinked: false)
        #expect(receipts.state(log: 1, number: 1) == .queued)
        receipts.noteHeld(log: 1, through: 1, by: nil)
        #expect(receipts.state(log: 1, number: 1) == .sent)
        #expect(Receipts(receivers: [people[0]], isLinked: true).state(log: 1, number: 1) == .sent)
    }
}
