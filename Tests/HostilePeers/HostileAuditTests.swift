import Identity
import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Sync

/// Tests hostile AUDIT messages: hashing ranges makes the victim read thousands of batches.
@Suite(.serialized) struct HostileAuditTests {
    private func audit(
        _ mate: HostileMate, _ numbers: ClosedRange<UInt64>, channel: UInt64 = 0,
        log: LogName? = nil, hash: UInt8 = 0
    ) -> Message {
        .audit(
            Audit(
                channel: channel, log: log ?? mate.head.log, from: numbers.lowerBound,
                through: numbers.upperBound, hash: Digest.header.hash([hash])))
    }

    private func audits(_ answers: [Message]) -> [Audit] {
        answers.compactMap { if case .audit(let audit) = $0 { audit } else { nil } }
    }

    private func notices(_ mate: HostileMate) async throws -> [NodeStatus.Notice.Kind] {
        try await mate.victim.call(NodeCommands.status).notices.map(\.kind)
    }

    @Test func `made-up hashes are answered with the true ones and change nothing`() async throws {
        let mate = try await HostileMate.capture()
        let before = try await mate.pairCounts()
        let peer = try await mate.link()
        let whole = audit(mate, 1...mate.head.number)
        let answers = audits(try await peer.answers(to: [whole, whole]))
        #expect(!answers.isEmpty)
        #expect(answers.allSatisfy { $0.log == mate.head.log && $0.from <= $0.through })
        #expect(answers.allSatisfy { $0.through <= mate.head.number })
        #expect(try await mate.pairCounts() == before)
        // The victim checked its own copy, which is intact.
        #expect(try await notices(mate) == [])
        let verdict = try await mate.victim.call(NodeCommands.repair, .init())
        #expect(verdict.isWhole)
        try await mate.end()
    }

    @Test func `nonsense ranges, unknown logs and unknown channels get no hash`() async throws {
        let mate = try await HostileMate.capture()
        let peer = try await mate.link()
        let (high, last) = (mate.head.number, Limits.batchNumberMax)
        let unknown = LogName(device: DeviceKey().id)
        let branch = LogName(device: mate.me, branch: BranchName(raw: Digest.header.hash([9])))
        let nonsense = [
            audit(mate, 1...last), audit(mate, last...last),
            audit(mate, high + 1...high + 1), audit(mate, 1...high + 1),
            audit(mate, 1...UInt64(Limits.auditBatchesMax) + 1), audit(mate, 1...1, log: unknown),
            audit(mate, 1...1, log: branch),
        ]
        let answers = try await peer.answers(to: nonsense)
        #expect(audits(answers).isEmpty)
        let strange = try await peer.answers(to: [
            audit(mate, 1...1, channel: 4000), audit(mate, 1...1, channel: .max),
        ])
        #expect(audits(strange).isEmpty)
        let refusals = strange.filter { if case .none = $0 { true } else { false } }
        #expect(refusals.count == 2)
        try await mate.end()
    }

    @Test func `a range that no log can have ends the link`() async throws {
        let mate = try await HostileMate.capture()
        let last = Limits.batchNumberMax
        for (from, through) in [(0, 1), (2, 1), (1, last + 1), (UInt64.max, .max)] {
            let peer = try await mate.link()
            try await peer.send(
                .audit(
                    Audit(
                        channel: 0, log: mate.head.log, from: from, through: through,
                        hash: Bytes32.zero)))
            // The stream of messages ends with the link.
            _ = await peer.messages { _ in false }
        }
        try await mate.victim.call(NodeCommands.status)
        try await mate.end()
    }

    @Test func `a flood about one batch is answered once, and others are served meanwhile`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let peer = try await mate.link()
        let flood = (0..<40).map { audit(mate, 1...1, hash: $0) }
        async let answers = peer.answers(to: flood)
        let (key, person) = try HostilePeer.stranger()
        let stranger = try await HostilePeer.dial(mate.victim.port, as: key, person)
        #expect(try await stranger.answers(to: []).isEmpty)
        let said = audits(try await answers)
        #expect(said.count == 1)
        #expect(said.first.map { $0.from...$0.through } == 1...1)
        stranger.close()
        try await mate.end()
    }

    @Test func `a stranger's audits are answered as those of unknown spaces`() async throws {
        let mate = try await HostileMate.capture()
        let (key, person) = try HostilePeer.stranger()
        let stranger = try await HostilePeer.dial(mate.victim.port, as: key, person)
        try await stranger.announce([mate.pair.id, SpaceID(raw: Digest.header.hash([7]))])
        let answers = try await stranger.answers(to: [
            audit(mate, 1...1), audit(mate, 1...1, channel: 1),
        ])
        #expect(audits(answers).isEmpty)
        #expect(answers.count { if case .none = $0 { true } else { false } } == 2)
        stranger.close()
        try await mate.end()
    }
}
