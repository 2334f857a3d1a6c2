import ChatAPI
import ControlAPI
import FeaturesAPI
import Foundation
import Identity
import Node
import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import Replica
import TestSupport
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
        #expect(full.map(\.limit) == [.author])
        #expect(full.first?.person == Key(filled.identity.person.person))
        #expect(full.first?.usedBytes.value ?? .max <= 1 << 20)
        #expect(await eventually { (try? await ana.notices(of: .full))?.isEmpty == false })
        let told = try await ana.notices(of: .full)
        #expect(told.count == 1 && told[0].contains("1 MiB"), "\(told)")

        try await others(of: filled, areStoredIn: group)

        // An erase is stored as the next batch of the full log, and makes room.
        filler = filler.back(to: acknowledged)
        var answers = try await peer.answers(to: [try filler.erasePush()])
        #expect(filled.acknowledged(in: answers) == filler.number)
        answers = try await peer.answers(to: [try filler.push(bytes: 30_000)])
        #expect(filled.acknowledged(in: answers) == filler.number)
        #expect(await eventually { (try? await ana.full())?.isEmpty == true })
        // That is not much room, so the notice stays. One that goes is gone within a second.
        try await Task.sleep(for: .milliseconds(1200))
        #expect(try await ana.notices(of: .full) == told)

        // The owner removes the filler, whose log is full again.
        for _ in 0..<4 { _ = try await peer.answers(to: [try filler.push()]) }
        #expect(try await ana.full().count == 1)
        try await ana.call(
            GroupCommands.remove,
            .init(group: group, person: NameOrKey(filled.identity.person.person)))
        #expect(await eventually { (try? await ana.full())?.isEmpty == true })
        #expect(await eventually { (try? await ana.notices(of: .full))?.isEmpty == true })
        try await eve.call(GroupCommands.note, .init(group: group, text: Text("quiet")))
        for node in [ana, eve] {
            try await node.wait(for: GroupCommands.show, .init(group: group)) { answer in
                let texts = answer.notes.map(\.text.string).sorted()
                return texts == ["hello", "quiet"]
            }
        }
        peer.close()
        try await filled.end()
    }

    /// Checks that others still write in the same group, and a mate in the pair.
    private func others(of filled: Filled, areStoredIn group: NameOrKey) async throws {
        let (ana, eve) = (filled.ana, filled.eve)
        try await eve.call(GroupCommands.note, .init(group: group, text: Text("hello")))
        try await ana.wait(for: GroupCommands.show, .init(group: group)) {
            $0.notes.contains { $0.text == "hello" }
        }
        try await eve.call(
            ChatCommands.send, .init(room: NameOrKey(ana.person), text: MessageText("hi")))
        try await ana.wait(for: ChatCommands.page, .init(room: NameOrKey(eve.person))) {
            $0.messages.contains { $0.text == "hi" }
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
        try await filled.ana.call(NodeCommands.setStorage, .init(authorMebibytes: Whole(2)))
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
    let group: NameOrKey
    let space: SpaceID
    let filler: Filler

    static func begin() async throws -> Filled {
        let meeting = try await Meeting.mates()
        let (ana, bob) = (meeting.one, meeting.other)
        let eve = try await RunningNode.start()
        try await eve.call(ProfileCommands.edit, Meeting.profile("Eve", dog: "Zoe"))
        try await eve.dial(ana)
        try await eve.wait(for: NearbyCommands.list) { $0.people.count == 1 }
        try await Meeting(one: ana, other: eve).drop()
        let created = try await ana.call(GroupCommands.create, .init(name: Text("Walkers")))
        let group = NameOrKey(created.id)
        guard let space = SpaceID(group.string) else {
            throw CommandFault.failed("no group")
        }
        for node in [bob, eve] {
            try await ana.call(
                GroupCommands.invite, .init(group: group, person: NameOrKey(node.person))
            )
            try await node.wait(for: GroupCommands.list) { answer in
                answer.groups.contains { $0.id == created.id && $0.state == .invited }
            }
            try await node.call(GroupCommands.accept, .init(group: group))
        }
        try await ana.wait(for: GroupCommands.show, .init(group: group)) {
            $0.peopleCount == 3
        }
        _ = await eventually {
            (try? await bob.call(NodeCommands.verify, .init()))?.equal == true
        }
        try await ana.call(NodeCommands.setStorage, .init(authorMebibytes: Whole(1)))
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
    fileprivate func full() async throws -> [Storage.Full] {
        try await call(NodeCommands.status).storage.full
    }

    /// The sentences of the notices of one kind.
    fileprivate func notices(of kind: NodeStatus.Notice.Kind) async throws -> [String] {
        let notices = try await call(NodeCommands.status).notices
        return notices.filter { $0.kind == kind }.map { $0.text.string }
    }
}
