import ChatAPI
import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Chat

/// The attacks on a room that a changed program can try, and their failure.
@Suite struct HostileChatTests {
    /// Returns the operations that a program would sign to write a message.
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

    @Test func `a message from a person who is not in the room is not stored`() async throws {
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

    @Test func `a person who is only invited to a group, or was removed, writes nothing there`()
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
            try await ann.call(
                GroupCommands.remove, .init(group: company.group, person: cem.key))
            let dora = try await network.talker(seed: 4, "Dora")
            try await network.setLink(ann, dora, isUp: true)
            try await network.befriend(ann, dora, number: 9)
            try await ann.call(
                GroupCommands.invite, .init(group: company.group, person: dora.key))
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

    @Test func `no member changes another's message, nor their own`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let pair = SpaceDescriptor.between(ann.me.person, ben.me.person)
            let his = EntityID(try await ben.say("his", to: ann.key))
            try await network.settle()
            let hers = EntityID(try await ann.say("hers", to: ben.key))
            try await network.settle()
            try await ben.forge(
                [try setting("changed", of: hers), try setting("changed", of: his)],
                in: pair, for: ann)
            #expect(try await ann.texts(in: ben.key) == ["his", "hers"])
            #expect(try await ann.found("changed").isEmpty)
            #expect(try await ann.found("hers") == ["hers"])
        }
    }

    @Test func `no member deletes another's message for everybody`() async throws {
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

    @Test func `a claim to have read every future message counts only for the person who makes it`()
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
            let shown = try #require(try await ann.message(id, in: company.group))
            #expect(shown.state == .delivered)
            #expect(shown.read == 1 && shown.receivers == 2)
            #expect(try await cem.unread(in: company.group) == 1)
        }
    }

    /// Returns the operations that a program would sign to say how far it has read a log.
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
    func `a record with the branch of no known log has no effect on any log`(
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
            #expect(try await ann.state(of: id, in: ben.key) == .delivered)
        }
    }

    @Test func `each side of a forked log is unread until read, and earlier messages stay read`()
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

    @Test func `an unread message that a fork moves to a side counts once`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let pair = SpaceDescriptor.between(ann.me.person, ben.me.person)
            try await ann.forge(try message("one side", by: ann, in: pair), in: pair, for: ben)
            #expect(try await ben.unread(in: ann.key) == 1)
            try await ann.forge(
                try message("other side", by: ann, in: pair), in: pair, for: ben, isFork: true)
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
            #expect(try await ann.state(of: id, in: ben.key) == .read)
        }
    }

    @Test func `my own record that names no log does not prevent reading`() async throws {
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
            #expect(try await ann.state(of: id, in: ben.key) == .read)
        }
    }
}
