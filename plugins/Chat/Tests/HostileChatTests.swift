import PluginKit
import Records
import TestSupport
import Testing

@testable import Chat

/// What a changed program can do to a room, and cannot.
@Suite struct HostileChatTests {
    /// What a program would sign to write a message.
    private func message(_ text: String, by host: TestHost, in space: SpaceDescriptor) throws
        -> [Records.Operation]
    {
        let nonce = host.random.nonce()
        let entity = Records.Operation.entity(
            in: space.id, of: Chat.message.id, by: host.me.device, nonce: nonce)
        return [
            Records.Operation(
                collection: Chat.message.id, entity: entity, action: .create(nonce: nonce)),
            try setting(text, of: entity),
        ]
    }

    private func setting(_ text: String, of entity: EntityID) throws -> Records.Operation {
        let number = try #require(Chat.message.field(named: "text")?.number)
        return Records.Operation(
            collection: Chat.message.id, entity: entity, action: .set(field: number, .text(text)))
    }

    @Test func `a message of somebody who is not in the room is stored nowhere`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let cem = try await network.talker(seed: 3, "Cem")
            try await network.setLink(ann, cem, isUp: true)
            let pair = SpaceDescriptor.between(ann.me.person, ben.me.person)
            try await ann.say("ours", to: ben.key)
            try await network.settle()
            try await cem.forge(try message("intruding", by: cem, in: pair), in: pair, for: ann)
            try await network.settle()
            for (one, other) in [(ann, ben), (ben, ann)] {
                #expect(try await one.texts(in: other.key) == ["ours"])
                #expect(try !one.databaseBytes().holds("intruding"))
            }
        }
    }

    @Test func `who is only invited to a group, or was removed, says nothing in its room`()
        async throws
    {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, ben, cem) = (company.ann, company.ben, company.cem)
            let space = try #require(
                try await ann.rows("SELECT descriptor FROM waggle_space WHERE kind = 'group'")
                    .first?.descriptor("descriptor"))
            try await cem.forge(try message("member", by: cem, in: space), in: space, for: ann)
            #expect(try await ann.texts(in: company.group) == ["member"])
            try await network.settle()
            try await ann.run(
                "group", "remove",
                ["group": .string(company.group), "person": .string(cem.key)])
            let dora = try await network.talker(seed: 4, "Dora")
            try await network.setLink(ann, dora, isUp: true)
            try await network.befriend(ann, dora, number: 9)
            try await ann.run(
                "group", "invite",
                ["group": .string(company.group), "person": .string(dora.key)])
            try await network.settle()
            for host in [cem, dora] {
                try await host.forge(
                    try message("beyond", by: host, in: space), in: space, for: ann)
            }
            try await network.settle()
            for host in [ann, ben] {
                #expect(try await host.texts(in: company.group) == ["member"])
                #expect(try await host.found("beyond").isEmpty)
            }
        }
    }

    @Test func `nobody changes what another wrote, nor what they wrote themselves`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let pair = SpaceDescriptor.between(ann.me.person, ben.me.person)
            let his = try #require(EntityID(try await ben.say("his", to: ann.key)))
            try await network.settle()
            let hers = try #require(EntityID(try await ann.say("hers", to: ben.key)))
            try await network.settle()
            try await ben.forge(
                [try setting("changed", of: hers), try setting("changed", of: his)],
                in: pair, for: ann)
            #expect(try await ann.texts(in: ben.key) == ["his", "hers"])
            #expect(try await ann.found("changed").isEmpty)
            #expect(try await ann.found("hers") == ["hers"])
        }
    }

    @Test func `nobody takes another's message from everybody`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let pair = SpaceDescriptor.between(ann.me.person, ben.me.person)
            try await ann.say("hers", to: ben.key)
            try await network.settle()
            let row = try #require(
                try await ann.rows(
                    """
                    SELECT b.number AS number, b.hash AS hash FROM chat_message m
                    JOIN waggle_batch b ON b.batch = m.log << 40 | m.number
                    """
                ).first)
            let number = try #require(row.integer("number"))
            let hash = try #require(row.bytes("hash").flatMap { BatchHash(bytes: $0) })
            let name = BatchName(
                log: LogName(device: ann.me.device), number: UInt64(number), hash: hash)
            try await ben.forge([Records.Operation(control: .erase(name))], in: pair, for: ann)
            try await network.settle()
            #expect(try await ann.texts(in: ben.key) == ["hers"])
            #expect(try ann.databaseBytes().holds("hers"))
        }
    }

    @Test func `who claims to have read all there ever will be is taken at their word alone`()
        async throws
    {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, ben, cem) = (company.ann, company.ben, company.cem)
            let space = try #require(
                try await ann.rows("SELECT descriptor FROM waggle_space WHERE kind = 'group'")
                    .first?.descriptor("descriptor"))
            let most = Int64(Limits.batchNumberMax)
            try await ben.write(
                [ann, cem].map {
                    .create(
                        collection: Chat.reading.name, nonce: ben.random.nonce(),
                        fields: [
                            "device": .bytes($0.me.device.bytes), "reached": .integer(most),
                        ])
                }, in: space)
            try await network.settle()
            let id = try await ann.say("hello", to: company.group)
            try await network.settle()
            let shown = try #require(
                try await ann.open(company.group).messages.first { $0["id"]?.string == id })
            #expect(shown["state"] == "delivered")
            #expect(shown["read"] == 1 && shown["receivers"] == 2)
            #expect(try await cem.unread(in: company.group) == 1)
        }
    }

    /// What a program would sign to say how far it has read a log.
    private func reading(
        _ device: DeviceID, branch: [UInt8], by host: TestHost, in space: SpaceDescriptor
    ) throws -> [Records.Operation] {
        let nonce = host.random.nonce()
        let collection = Chat.reading.id
        let entity = Records.Operation.entity(
            in: space.id, of: collection, by: host.me.device, nonce: nonce)
        let fields: [(String, Value)] = [
            ("device", .bytes(device.bytes)), ("reached", .integer(1000)),
            ("branch", .bytes(branch)),
        ]
        return [
            Records.Operation(
                collection: collection, entity: entity, action: .create(nonce: nonce))
        ]
            + fields.map { name, value in
                Records.Operation(
                    collection: collection, entity: entity,
                    action: .set(field: Chat.reading.field(named: name)?.number ?? 0, value))
            }
    }

    @Test(arguments: [0, 5, 31, 32])
    func `a branch that no log has, or none can have, says nothing of any log`(
        count: Int
    ) async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let pair = SpaceDescriptor.between(ann.me.person, ben.me.person)
            let id = try await ann.say("hello", to: ben.key)
            try await network.settle()
            let operations = try ([0, 7] as [UInt8]).flatMap { byte in
                let branch = [UInt8](repeating: byte, count: count)
                return try reading(ann.me.device, branch: branch, by: ben, in: pair)
            }
            try await ben.forge(operations, in: pair, for: ann)
            try await network.settle()
            #expect(try await ann.rows("SELECT * FROM chat_reading").count == 2)
            #expect(try await ann.state(of: id, in: ben.key) == "delivered")
        }
    }

    @Test func `each side of a forked log is unread until read, and what was before stays read`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let pair = SpaceDescriptor.between(ann.me.person, ben.me.person)
            try await ann.say("before", to: ben.key)
            try await network.settle()
            try await ann.forge(try message("one side", by: ann, in: pair), in: pair, for: ben)
            try await ben.open(ann.key)
            #expect(try await ben.unread(in: ann.key) == 0)
            try await ann.forge(
                try message("other side", by: ann, in: pair), in: pair, for: ben, isFork: true)
            let texts = try await ben.texts(in: ann.key)
            #expect(texts.first == "before" && texts.count == 3)
            #expect(try await ben.unread(in: ann.key) == 2)
            try await ben.open(ann.key)
            #expect(try await ben.unread(in: ann.key) == 0)
        }
    }

    @Test func `a branch that is too long is void, and the record means the main log`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let pair = SpaceDescriptor.between(ann.me.person, ben.me.person)
            let id = try await ann.say("hello", to: ben.key)
            try await network.settle()
            let branch = [UInt8](repeating: 7, count: 33)
            try await ben.forge(
                try reading(ann.me.device, branch: branch, by: ben, in: pair), in: pair, for: ann)
            #expect(try await ann.state(of: id, in: ben.key) == "read")
        }
    }

    @Test func `a record of one's own that names no log is no hindrance to reading`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let pair = SpaceDescriptor.between(ann.me.person, ben.me.person)
            for count in [0, 5, 32] {
                try await ben.write(
                    [
                        .create(
                            collection: Chat.reading.name, nonce: ben.random.nonce(),
                            fields: [
                                "device": .bytes(ann.me.device.bytes), "reached": .integer(1000),
                                "branch": .bytes([UInt8](repeating: 0, count: count)),
                            ])
                    ], in: pair)
            }
            let id = try await ann.say("hello", to: ben.key)
            try await network.settle()
            #expect(try await ben.unread(in: ann.key) == 1)
            try await ben.open(ann.key)
            try await network.settle()
            #expect(try await ben.unread(in: ann.key) == 0)
            #expect(try await ann.state(of: id, in: ben.key) == "read")
        }
    }
}
