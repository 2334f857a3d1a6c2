import ControlAPI
import Foundation
import Identity
import Node
import NodeTestSupport
import PluginKit
import Records
import Replica
import Testing

@testable import Sync

/// A member of a group who writes until the disk of everybody else would be full.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FillTests {
    @Test func `one member's full quota delays nobody, and the group goes on after a removal`()
        async throws
    {
        let filled = try await Filled.begin()
        let (ana, eve, group) = (filled.ana, filled.eve, filled.group)
        var filler = filled.filler
        let peer = try await filled.link()

        // Nothing beyond the quota is stored or acknowledged, and the link stays.
        var acknowledged: UInt64 = 0
        for _ in 0..<24 {
            let answers = try await peer.answers(to: [try filler.push()])
            acknowledged = max(acknowledged, filled.acknowledged(in: answers) ?? 0)
        }
        #expect(acknowledged > filled.filler.number)
        #expect(acknowledged < filler.number)
        let full = try await ana.full()
        #expect(full.map { $0["limit"] } == ["author"])
        #expect(full.first?["person"]?.string == filled.identity.person.person.description)
        #expect(full.first?["usedBytes"]?.integer ?? .max <= 1 << 20)
        let told = try await ana.notices(of: "full")
        #expect(told.count == 1 && told[0].contains("1 MiB"), "\(told)")

        try await others(of: filled, areStoredIn: group)

        // An erase is stored as the next batch of the full log, and makes room.
        filler = filler.back(to: acknowledged)
        var answers = try await peer.answers(to: [try filler.erasePush()])
        #expect(filled.acknowledged(in: answers) == filler.number)
        answers = try await peer.answers(to: [try filler.push(bytes: 30_000)])
        #expect(filled.acknowledged(in: answers) == filler.number)
        #expect(await eventually { (try? await ana.full())?.isEmpty == true })
        // That is not much room, so the notice stays.
        #expect(try await ana.notices(of: "full") == told)

        // The owner removes the filler, whose log is full again.
        for _ in 0..<4 { _ = try await peer.answers(to: [try filler.push()]) }
        #expect(try await ana.full().count == 1)
        let person = JSONValue.string(filled.identity.person.person.description)
        try await ana.perform("group", "remove", ["group": .string(group), "person": person])
        #expect(await eventually { (try? await ana.full())?.isEmpty == true })
        #expect(await eventually { (try? await ana.notices(of: "full"))?.isEmpty == true })
        try await eve.perform("group", "note", ["group": .string(group), "text": "quiet"])
        for node in [ana, eve] {
            _ = try await node.wait(for: "group", "show", ["group": .string(group)]) { answer in
                let texts = answer["notes"]?.array?.compactMap { $0["text"]?.string }.sorted()
                return texts == ["hello", "quiet"]
            }
        }
        peer.close()
        try await filled.end()
    }

    /// Checks that others still write in the same group, and a mate in the pair.
    private func others(of filled: Filled, areStoredIn group: String) async throws {
        let (ana, eve) = (filled.ana, filled.eve)
        try await eve.perform("group", "note", ["group": .string(group), "text": "hello"])
        _ = try await ana.wait(for: "group", "show", ["group": .string(group)]) {
            $0["notes"]?.array?.contains { $0["text"] == "hello" } == true
        }
        let room = try await ana.person
        try await eve.perform("chat", "send", ["room": .string(room), "text": "hi"])
        let there = JSONValue.string(try await eve.person)
        _ = try await ana.wait(for: "chat", "page", ["room": there]) {
            $0["messages"]?.array?.contains { $0["text"] == "hi" } == true
        }
    }

    @Test func `what was refused is stored when the limit is raised`() async throws {
        let filled = try await Filled.begin()
        var filler = filled.filler
        let peer = try await filled.link()
        var acknowledged = filler.number
        for _ in 0..<20 {
            let answers = try await peer.answers(to: [try filler.push()])
            acknowledged = max(acknowledged, filled.acknowledged(in: answers) ?? 0)
        }
        #expect(try await filled.ana.full().count == 1)
        let refused = try #require(filler.pushes[acknowledged + 1])
        try await filled.ana.perform("storage", "set", ["authorMebibytes": 2])
        #expect(try await filled.ana.full().isEmpty)
        let answers = try await peer.answers(to: [refused])
        #expect(filled.acknowledged(in: answers) == acknowledged + 1)
        peer.close()
        try await filled.end()
    }
}

/// A group of three: Ana owns it, Eve is a member, and the keys of the third are the attacker's.
private struct Filled {
    let ana: RunningNode
    let eve: RunningNode
    let identity: NodeIdentity
    let home: Home
    let group: String
    let space: SpaceID
    let filler: Filler

    static func begin() async throws -> Filled {
        let meeting = try await Meeting.mates()
        let (ana, bob) = (meeting.one, meeting.other)
        let eve = try await RunningNode.start()
        try await eve.perform("me", "edit", Meeting.profile("Eve", dog: "Zoe"))
        try await eve.perform("peer", "add", ["address": .string(ana.address)])
        _ = try await eve.wait(for: "nearby", "list") { $0["people"]?.array?.count == 1 }
        try await Meeting(one: ana, other: eve).drop()
        let created = try await ana.perform("group", "create", ["name": "Walkers"])
        guard let group = created["id"]?.string, let space = SpaceID(group) else {
            throw CommandFault.failed("no group")
        }
        for node in [bob, eve] {
            try await ana.perform(
                "group", "invite",
                ["group": .string(group), "person": .string(try await node.person)])
            _ = try await node.wait(for: "group", "list") { answer in
                answer["groups"]?.array?.contains {
                    $0["id"]?.string == group && $0["state"] == "invited"
                } == true
            }
            try await node.perform("group", "accept", ["group": .string(group)])
        }
        _ = try await ana.wait(for: "group", "show", ["group": .string(group)]) {
            $0["peopleCount"] == 3
        }
        _ = await eventually {
            (try? await bob.perform("verify", "run"))?["equal"] == true
        }
        try await ana.perform("storage", "set", ["authorMebibytes": 1])
        try await bob.stop()
        let identity = try NodeIdentity.load(from: bob.home)
        let replica = try Replica(
            path: bob.home.replicaFile, key: identity.key,
            collections: PluginCatalogue.all.flatMap { $0.manifest.collections }, views: [])
        let heads = await replica.heads(in: space)
        guard let head = heads.first(where: { $0.log.device == identity.key.id }) else {
            throw CommandFault.failed("the third member wrote nothing")
        }
        return Filled(
            ana: ana, eve: eve, identity: identity, home: bob.home, group: group, space: space,
            filler: Filler(key: identity.key, space: space, head: head))
    }

    /// Links with Ana; the group is channel 0.
    func link() async throws -> HostilePeer {
        let peer = try await HostilePeer.dial(ana.port, as: identity.key, identity.person)
        try await peer.announce([space])
        return peer
    }

    /// Returns the number up to which answers acknowledge the filler's log.
    func acknowledged(in answers: [Message]) -> UInt64? {
        answers.compactMap { answer -> UInt64? in
            guard case .acknowledge(let vector) = answer else { return nil }
            return vector.logs.first { $0.log.device == identity.key.id }?.high
        }.max()
    }

    func end() async throws {
        for node in [ana, eve] { try await node.remove() }
        try? FileManager.default.removeItem(atPath: home.directory)
    }
}

/// Writes batches that continue a log.
private struct Filler {
    let key: DeviceKey
    let space: SpaceID
    let log: LogName
    /// The number of the last batch.
    private(set) var number: UInt64
    private var hashes: [UInt64: BatchHash]
    private var stamps: Timestamp
    /// The first batch that was written here.
    private var first: BatchName?
    /// The pushes of bodies, by the number of their batch.
    private(set) var pushes: [UInt64: Message] = [:]

    init(key: DeviceKey, space: SpaceID, head: LogState) {
        (self.key, self.space, log) = (key, space, head.log)
        number = head.high
        hashes = [head.high: head.headHash]
        stamps = HostilePeer.now() + .seconds(1)
    }

    /// Returns the same log up to a batch, so that another one follows it.
    func back(to number: UInt64) -> Filler {
        var filler = self
        filler.number = number
        return filler
    }

    /// Returns a push of one batch with a body of about so many bytes, of a collection that nobody
    /// declares.
    mutating func push(bytes: Int = 60_000) throws -> Message {
        let collection = CollectionID(name: "test.filler/1")
        let entity = Operation.entity(in: space, of: collection, by: key.id, nonce: .zero)
        let operations = (1...2).map { field in
            Operation(
                collection: collection, entity: entity,
                action: .set(
                    field: UInt64(field), .bytes([UInt8](repeating: 7, count: bytes / 2))))
        }
        let push = try push(BatchBody(operations, salt: .zero))
        pushes[number] = push
        return push
    }

    /// Returns a push that erases the first batch that was written here.
    mutating func erasePush() throws -> Message {
        guard let first else { throw CommandFault.failed("nothing to erase") }
        return try push(BatchBody([Operation(control: .erase(first))]))
    }

    private mutating func push(_ body: BatchBody) throws -> Message {
        stamps = stamps + .milliseconds(1)
        let stamp = Stamp(stamps)
        let header = BatchHeader(
            space: space, log: log, number: number + 1, previous: hashes[number] ?? .none,
            epoch: 0, stamp: stamp, bodyHash: Digest.body.hash(body.encoded))
        number += 1
        hashes[number] = header.hash
        first = first ?? BatchName(log: log, number: number, hash: header.hash)
        let run = Run(
            log: log, firstNumber: number, epoch: 0, batches: [.init(stamp: stamp, body: body)],
            signature: try key.sign(header.signedBytes))
        return .push(Push(channel: 0, run: run))
    }
}

extension RunningNode {
    /// The people whose quota is full.
    fileprivate func full() async throws -> [JSONValue] {
        try await perform("status", "show")["storage"]?["full"]?.array ?? []
    }

    /// The sentences of the notices of one kind.
    fileprivate func notices(of kind: String) async throws -> [String] {
        // A notice is told within a second.
        try await Task.sleep(for: .milliseconds(1200))
        let notices = try await perform("status", "show")["notices"]?.array ?? []
        return notices.filter { $0["kind"]?.string == kind }.compactMap { $0["text"]?.string }
    }
}
