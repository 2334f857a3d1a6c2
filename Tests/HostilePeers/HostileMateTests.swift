import FeaturesAPI
import Identity
import Node
import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Sync

/// Tests that a mate cannot exceed their rights by any signed batch.
@Suite(.serialized) struct HostileMateTests {
    @Test func `a batch in the victim's own name is refused and the link stays up`() async throws {
        let mate = try await HostileMate.capture()
        let before = try await mate.pairCounts()
        let peer = try await mate.link()
        let forged = try mate.run(
            [HostileMate.harmless], log: LogName(device: mate.victimDevice))
        let answers = try await peer.answers(to: [.push(Push(channel: 0, run: forged))])
        #expect(!answers.contains { if case .acknowledge = $0 { true } else { false } })
        #expect(try await mate.pairCounts() == before)
        let status = try await mate.victim.call(NodeCommands.status)
        #expect(status.links.count == 1)
        try await mate.end()
    }

    @Test func `a held batch takes effect when it is due, even if nothing else happens`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let peer = try await mate.link()
        // Due after three seconds: time enough to see that it is held.
        let due = HostilePeer.now() + .seconds(3)
        let day = Duration.seconds(24 * 60 * 60)
        let run = try mate.run([HostileMate.harmless], at: due + day)
        _ = try await peer.answers(to: [.push(Push(channel: 0, run: run))])
        peer.close()
        let held = try await mate.pairCounts().held
        #expect(held == 1 || HostilePeer.now() >= due)
        #expect(await eventually { (try? await mate.pairCounts())?.held == 0 })
        #expect(HostilePeer.now() >= due)
        try await mate.end()
    }

    @Test func `sides of its own log that are not kept do not end a device's link`() async throws {
        let mate = try await HostileMate.capture()
        let peer = try await mate.link()
        for number in 0..<60 {
            let side = try mate.run(
                [HostileMate.harmless], at: HostilePeer.now() + .milliseconds(number))
            _ = try await peer.answers(to: [.push(Push(channel: 0, run: side))])
        }
        let links = try await mate.victim.call(NodeCommands.status).links
        #expect(links.count == 1)
        try await mate.end()
    }

    @Test func `a removed device that shows its person's old record is not linked`() async throws {
        let mate = try await HostileMate.capture()
        // The mate's person had another device, and has removed it.
        let second = DeviceKey()
        let person = mate.identity.person
        let consent = try DeviceConsent(of: second, to: person.person, name: "old")
        let old = try person.adding(try DeviceEntry.adding(consent, by: mate.identity.key))
        let linked = try await HostilePeer.dial(mate.victim.port, as: second, old)
        _ = try await linked.answers(to: [])
        linked.close()
        let newest = try old.adding(
            try DeviceEntry.removing(second.id, from: person.person, by: mate.identity.key))
        let first = try await HostilePeer.dial(mate.victim.port, as: mate.identity.key, newest)
        _ = try await first.answers(to: [])
        let removed = try await HostilePeer.dial(mate.victim.port, as: second, old)
        // It is told that it was removed, and then the link ends.
        #expect(await removed.messages { _ in false }.map(\.type) == [7, 15])
        let links = try await mate.victim.call(NodeCommands.status).links
        #expect(links.map(\.device) == [Key(mate.identity.key.id)])
        try await mate.end()
    }

    @Test func `a stranger's batch in the pair is refused, also from a mate`() async throws {
        let mate = try await HostileMate.capture()
        let before = try await mate.pairCounts()
        let peer = try await mate.link()
        let stranger = DeviceKey()
        let run = try mate.run(
            [HostileMate.harmless], log: LogName(device: stranger.id), key: stranger)
        _ = try await peer.answers(to: [.push(Push(channel: 0, run: run))])
        #expect(try await mate.pairCounts() == before)
        try await mate.end()
    }

    @Test func `an edit of the victim's edge is stored but void`() async throws {
        let mate = try await HostileMate.capture()
        let before = try await mate.pairCounts()
        let collection = CollectionID(name: "neighbours.edge/1")
        let run = try mate.run([
            Operation(
                collection: collection, entity: mate.victimEdge,
                action: .set(field: 1, .bytes([UInt8](repeating: 1, count: 16))))
        ])
        let peer = try await mate.link()
        let answers = try await peer.answers(to: [.push(Push(channel: 0, run: run))])
        #expect(answers.contains { if case .acknowledge = $0 { true } else { false } })
        let after = try await mate.pairCounts()
        #expect(after.batches == before.batches + 1)
        #expect(after.void == before.void + 1)
        let mates = try await mate.victim.call(MateCommands.list)
        #expect(mates.mates.first?.state == .mate)
        try await mate.end()
    }

    @Test func `a mate who requests everything repeatedly receives it once`() async throws {
        let mate = try await HostileMate.capture()
        let peer = try await mate.link()
        let nothing = Message.vector(Vector(channel: 0, logs: []))
        func pushesCount(_ messages: [Message]) -> Int {
            messages.count { if case .push = $0 { true } else { false } }
        }
        #expect(pushesCount(try await peer.answers(to: [nothing])) > 0)
        let repeats = [Message](repeating: nothing, count: 500)
        #expect(pushesCount(try await peer.answers(to: repeats)) == 0)
        let links = try await mate.victim.call(NodeCommands.status).links
        #expect(links.count == 1)
        try await mate.end()
    }

    /// Unread frames of an old link once gave the new link's channels other meanings: every message
    /// on it was answered with NONE until it ended.
    @Test func `frames of a replaced link have no effect on the new one`()
        async throws
    {
        let mate = try await HostileMate.capture()
        for round in 1...7 as ClosedRange<UInt64> {
            let old = try await mate.link(startCount: 2 * round)
            let naming = Task {
                while true { try await old.announce([SpaceID(raw: DeviceKey().id.raw)]) }
            }
            let new = try await mate.link(startCount: 2 * round + 1)
            let answers = try await new.answers(to: [.vector(Vector(channel: 0, logs: []))])
            naming.cancel()
            #expect(answers.contains { if case .push = $0 { true } else { false } })
            new.close()
        }
        try await mate.end()
    }

    @Test func `the victim's card accepts no batch from a mate`() async throws {
        let mate = try await HostileMate.capture()
        let card = SpaceDescriptor.card(mate.victimPerson).id
        let body = BatchBody([HostileMate.harmless])
        let header = BatchHeader(
            space: card, log: LogName(device: mate.me), number: 1, previous: .none, epoch: 0,
            stamp: Stamp(HostilePeer.now()), bodyHash: Digest.body.hash(body.encoded))
        let run = Run(
            log: LogName(device: mate.me), firstNumber: 1, epoch: 0,
            batches: [.init(stamp: header.stamp, body: body)],
            signature: try mate.identity.key.sign(header.signedBytes))
        let peer = try await mate.link()
        let answers = try await peer.answers(to: [.push(Push(channel: 1, run: run))])
        #expect(!answers.contains { if case .acknowledge = $0 { true } else { false } })
        try await mate.end()
    }

    @Test func `a hundred replays of one batch store it once`() async throws {
        let mate = try await HostileMate.capture()
        let before = try await mate.pairCounts()
        let run = try mate.run([HostileMate.harmless])
        let peer = try await mate.link()
        let replays = [Message](repeating: .push(Push(channel: 0, run: run)), count: 100)
        _ = try await peer.answers(to: replays)
        #expect(try await mate.pairCounts().batches == before.batches + 1)
        try await mate.end()
    }

    @Test func `a batch of the year 2100 is held and does not move the clock`() async throws {
        let mate = try await HostileMate.capture()
        let run = try mate.run(
            [HostileMate.harmless], at: Timestamp(milliseconds: 4_102_444_800_000))
        let peer = try await mate.link()
        _ = try await peer.answers(to: [.push(Push(channel: 0, run: run))])
        #expect(try await mate.pairCounts().held == 1)
        try await mate.victim.call(
            WalkCommands.ask,
            .init(
                to: NameOrKey(mate.identity.person.person), latitude: Latitude(1.0),
                longitude: Longitude(1.0), message: Text("still today")))
        let requests = try await mate.victim.call(WalkCommands.list).requests
        let created = try #require(requests.first?.createdMs)
        #expect(created < Timestamp(milliseconds: 4_102_444_800_000))
        try await mate.end()
    }

    @Test func `a message in the pair with a body of combining marks alone does no harm`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let collection = CollectionID(name: "neighbours.walk/1")
        let nonce = Bytes16(prefixOf: DeviceKey().id.raw)
        let entity = Operation.entity(
            in: mate.pair.id, of: collection, by: mate.me, nonce: nonce)
        let marks = String(repeating: "\u{301}", count: 200)
        let run = try mate.run([
            Operation(collection: collection, entity: entity, action: .create(nonce: nonce)),
            Operation(
                collection: collection, entity: entity, action: .set(field: 5, .text(marks))),
            Operation(
                collection: collection, entity: entity, action: .set(field: 2, .real(1e300))),
        ])
        let peer = try await mate.link()
        _ = try await peer.answers(to: [.push(Push(channel: 0, run: run))])
        _ = try await mate.victim.call(WalkCommands.list)
        _ = try await mate.victim.call(InboxCommands.list)
        try await mate.end()
    }
}

extension HostileMate {
    /// An operation on an unknown collection: it is stored and forwarded, and has no effect.
    static let harmless = Operation(
        collection: CollectionID(rawValue: 0xfeed_beef),
        entity: EntityID(raw: Bytes16(prefixOf: Digest.entity.hash([1]))),
        action: .set(field: 1, .integer(1)))
}
