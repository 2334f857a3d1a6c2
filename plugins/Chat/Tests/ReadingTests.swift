import ChatAPI
import FeaturesAPI
import PluginKit
import TestSupport
import Testing

@testable import Chat

/// Delivery states, unread messages, and the position of the divider.
@Suite struct ReadingTests {
    @Test func `a message is queued, delivered and read, and its author sees each state`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await network.setLink(ann, ben, isUp: false)
            let id = try await ann.say("Hello", to: ben.key)
            #expect(try await ann.state(of: id, in: ben.key) == .queued)
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await ann.state(of: id, in: ben.key) == .delivered)
            try await ben.open(ann.key)
            #expect(try await ann.state(of: id, in: ben.key) == .delivered)
            try await network.settle()
            #expect(try await ann.state(of: id, in: ben.key) == .read)
            #expect(ann.drainEvents().contains("chat"))
        }
    }

    @Test func `all messages that nobody has yet are counted, also those that are not loaded`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("There already", to: ben.key)
            try await network.settle()
            #expect(try await ann.open(ben.key).queued == 0)
            try await network.setLink(ann, ben, isUp: false)
            for number in 1...3 { try await ann.say("\(number)", to: ben.key) }
            let page = try await ann.call(
                ChatCommands.open, .init(room: ben.key, limit: MessageCount(1)))
            #expect(page.messages.count == 1 && page.queued == 3)
            #expect(try await ben.open(ann.key).queued == 0)
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await ann.open(ben.key).queued == 0)
        }
    }

    @Test func `more logs are marked as read than one batch has room for`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let chat = try #require(ann.plugin(Chat.self))
            let space = SpaceDescriptor.between(ann.me.person, ben.me.person).id
            let room = try #require(try await chat.room(space))
            let count = 1100
            let reach = (1...count).map { number -> (LogName, Int64) in
                let hash = Digest.header.hash([UInt8(number & 255), UInt8(number >> 8)])
                return (
                    LogName(device: ben.me.device, branch: BranchName(raw: hash)), Int64(number)
                )
            }
            try await chat.mark(
                Dictionary(reach, uniquingKeysWith: { first, _ in first }), in: room)
            let rows = try await chat.context.replica.rows(
                "SELECT count(*) AS n FROM chat_reading", [])
            #expect(rows.first?.integer("n") == Int64(count))
        }
    }

    @Test func `a message to a linked person is sent until they have it`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let id = try await ann.say("Hello", to: ben.key)
            #expect(try await ann.state(of: id, in: ben.key) == .sent)
            try await network.setLink(ann, ben, isUp: false)
            #expect(try await ann.state(of: id, in: ben.key) == .queued)
        }
    }

    @Test func `in a group a message is delivered and read when every member has done so`()
        async throws
    {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, ben, cem) = (company.ann, company.ben, company.cem)
            try await network.setLink(ann, cem, isUp: false)
            try await network.setLink(ben, cem, isUp: false)
            let id = try await ann.say("Hello all", to: company.group)
            try await network.settle()
            #expect(try await ann.state(of: id, in: company.group) == .sent)
            try await ben.open(company.group)
            try await network.settle()
            #expect(try await ann.state(of: id, in: company.group) == .sent)
            let message = try await ann.open(company.group).messages.first
            #expect(message?.read == 1 && message?.delivered == 1)
            #expect(message?.receivers == 2)
            // Cem has it from Ben, and reports himself that he read it.
            try await network.setLink(ben, cem, isUp: true)
            try await cem.open(company.group)
            try await network.settle()
            #expect(try await ann.state(of: id, in: company.group) == .read)
        }
    }

    @Test func `the divider is above the first unread message until it is read`() async throws {
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
            #expect(opened.firstUnread == first)
            #expect(opened.shown.map(\.text) == ["old", "new", "newer"])
            #expect(try await ben.unread(in: ann.key) == 0)
            #expect(try await ben.open(ann.key).firstUnread == nil)
            #expect(try await ann.unread(in: ben.key) == 0)
        }
    }

    @Test func `opening a room without marking leaves its messages unread`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("new", to: ben.key)
            try await network.settle()
            for _ in 0..<2 {
                #expect(try await ben.open(ann.key, mark: false).firstUnread != nil)
                try await ben.call(ChatCommands.page, .init(room: ann.key))
                #expect(try await ben.unread(in: ann.key) == 1)
            }
        }
    }

    @Test func `a late message is unread even if later messages were read`() async throws {
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
            #expect(opened.firstUnread == late)
            #expect(opened.shown.map(\.text) == ["early and late", "later"])
            #expect(try await ann.unread(in: company.group) == 0)
        }
    }

    @Test func `no record makes a read message unread again`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            for number in 0..<3 { try await ann.say("\(number)", to: ben.key) }
            try await network.settle()
            try await ben.open(ann.key)
            // As if another device of Ben's reported that it has read less.
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

    @Test func `reading twice writes one record`() async throws {
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

    @Test func `a message changes no other row`() async throws {
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

    /// Returns all rows of all tables except the internal ones of FTS5.
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

    @Test func `a state that a newer node adds is read as unknown`() throws {
        #expect(try JSONValue.string("framed").decoded(as: MessageState.self) == .unknown)
        #expect(try JSONValue.string("square").decoded(as: ChatRoom.Kind.self) == .unknown)
        #expect(try JSONValue.string("read").decoded(as: MessageState.self) == .read)
    }

    // MARK: The inbox

    @Test func `the inbox names a room with unread messages, once, and not their text`()
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
            #expect(items.first?.title.string == "New messages from Ann")
            #expect(items.first?.body.string == "")
            #expect(try await ann.waiting().isEmpty)
            try await ben.open(ann.key)
            #expect(try await ben.waiting().isEmpty)
            try await ann.say("again", to: ben.key)
            try await network.settle()
            #expect(try await ben.waiting().count == 1)
        }
    }

    @Test func `a restart does not change the inbox`() async throws {
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

    @Test func `a handled inbox item comes back only with the next message`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("one", to: ben.key)
            try await network.settle()
            let id = try #require(try await ben.waiting().first).id
            try await ben.call(InboxCommands.handle, .init(id: RecordPrefix(id)))
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

    @Test func `each piece of evidence sets the delivery state that it proves, and no later one`() {
        var receipts = Receipts(receivers: Set(people.prefix(2)), isLinked: false)
        #expect(receipts.state(log: 1, number: 5) == .queued)
        receipts.recordHeld(log: 1, through: 5, by: people[2])
        #expect(receipts.state(log: 1, number: 5) == .sent)
        #expect(receipts.state(log: 1, number: 6) == .queued)
        #expect(receipts.state(log: 2, number: 5) == .queued)
        receipts.recordHeld(log: 1, through: 5, by: people[0])
        #expect(receipts.state(log: 1, number: 5) == .sent)
        receipts.recordHeld(log: 1, through: 6, by: people[1])
        #expect(receipts.state(log: 1, number: 5) == .delivered)
        #expect(receipts.state(log: 1, number: 6) == .sent)
        receipts.recordRead(log: 1, through: 5, by: people[0])
        #expect(receipts.state(log: 1, number: 5) == .delivered)
        receipts.recordRead(log: 1, through: 4, by: people[1])
        #expect(receipts.state(log: 1, number: 5) == .delivered)
        #expect(receipts.state(log: 1, number: 4) == .read)
    }

    @Test func `a message that was read was delivered, and older evidence does not undo that`() {
        var receipts = Receipts(receivers: [people[0]], isLinked: false)
        receipts.recordRead(log: 1, through: 5, by: people[0])
        receipts.recordHeld(log: 1, through: 2, by: people[0])
        receipts.recordRead(log: 1, through: 3, by: people[0])
        #expect(receipts.deliveredCount(log: 1, number: 5) == 1)
        #expect(receipts.state(log: 1, number: 5) == .read)
    }

    @Test func `a message without receivers is never delivered`() {
        var receipts = Receipts(receivers: [], isLinked: false)
        #expect(receipts.state(log: 1, number: 1) == .queued)
        receipts.recordHeld(log: 1, through: 1, by: nil)
        #expect(receipts.state(log: 1, number: 1) == .sent)
        #expect(Receipts(receivers: [people[0]], isLinked: true).state(log: 1, number: 1) == .sent)
    }
}
