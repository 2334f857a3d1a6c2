import ControlAPI
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

/// Tests a mate who uses many devices, and a former mate who links again and again.
@Suite(.serialized) struct ManyDevicesTests {
    @Test func `a mate's eight devices are linked, and the ninth gets a BYE`() async throws {
        let mate = try await HostileMate.capture()
        let (person, keys) = try mate.devices(9)
        var peers: [HostilePeer] = []
        for key in keys {
            peers.append(try await HostilePeer.dial(mate.victim.port, as: key, person))
        }
        #expect(await peers[8].messages { _ in false }.last == .bye(.leaving))
        let links = try await mate.victim.call(NodeCommands.status).links
        #expect(links.count == 8)
        for peer in peers { peer.close() }
        try await mate.end()
    }

    @Test func `a mate whose devices fork their logs causes one notice`() async throws {
        let mate = try await HostileMate.capture()
        let (person, keys) = try mate.devices(4)
        let peer = try await HostilePeer.dial(mate.victim.port, as: mate.identity.key, person)
        try await peer.announce([mate.pair.id])
        for key in keys {
            for side in 1...2 {
                let run = try mate.run(
                    [HostileMate.harmless], log: LogName(device: key.id), key: key,
                    at: HostilePeer.now() + .seconds(side))
                _ = try await peer.answers(to: [.push(Push(channel: 0, run: run))])
            }
        }
        let status = try await mate.victim.call(NodeCommands.status)
        let pair = status.spaces.first { $0.id == Key(mate.pair.id) }
        #expect(pair?.forkedDevices.count == keys.count)
        #expect(try await mate.victim.noticeKinds() == [.forked])
        #expect(
            try await mate.victim.inboxItems().count { $0.kind == "forked" } == 1)
        peer.close()
        try await mate.end()
    }

    @Test func `a former mate who says at each link that they lost the end causes few writes`()
        async throws
    {
        let mate = try await HostileMate.capture()
        try await mate.victim.call(
            MateCommands.remove, .init(person: NameOrKey(mate.identity.person.person)))
        for _ in 0..<EndClaim.remindersMax { try await EndClaim.make(by: mate) }
        let before = try await mate.victim.stored()
        for _ in 0..<8 { try await EndClaim.make(by: mate) }
        #expect(try await mate.victim.stored() == before)
        try await mate.end()
    }
}

/// The claim of a former mate that they lost the end of the mateship, and its acknowledgement.
private enum EndClaim {
    /// The first acknowledgement of the end, and those of a day's reminders.
    static let remindersMax = 5

    static func make(by mate: HostileMate) async throws {
        let peer = try await HostilePeer.dial(
            mate.victim.port, as: mate.identity.key, mate.identity.person)
        let announcement = Message.have(
            Have(
                round: .question,
                entries: [.init(token: peer.token(mate.pair.id), digest: Bytes16.zero)]))
        try await peer.announce([mate.pair.id])
        var answers = try await peer.answers(to: [announcement])
        answers += try await peer.answers(to: [])
        for case .vector(let vector) in answers {
            _ = try await peer.answers(to: [
                .acknowledge(Vector(channel: 0, logs: vector.logs))
            ])
        }
        peer.close()
        try await mate.victim.wait(for: NodeCommands.status) {
            $0.links.isEmpty
        }
    }
}
