import Records
import TestSupport
import Testing

@testable import Sync

@Suite struct SyncSessionTests {
    private let logs = (1...4).map { LogName(device: DeviceID(raw: Digest.header.hash([$0]))) }

    @Test func `equal replicas agree in one round trip and send no vector`() throws {
        let replica = NumberReplica(logs: [logs[0]: 3])
        var pair = SyncPair(replica, replica)
        pair.share(0)
        pair.share(1)
        #expect(pair.ends[0].inbox.count == 1)
        #expect(pair.ends[1].inbox.count == 1)
        try pair.step(to: 0)
        try pair.step(to: 1)
        #expect(pair.ends.allSatisfy { $0.inbox.isEmpty })
        #expect(pair.ends.allSatisfy { $0.session.isInSync(SyncPair.space) })
    }

    @Test func `an equality check costs 24 bytes per space in each direction`() throws {
        let one = NumberReplica(logs: [logs[0]: 1])
        var pair = SyncPair(one, one)
        pair.share(0)
        let message = try #require(pair.ends[1].inbox.first)
        // One byte is the round, one the number of entries.
        #expect(message.payload(sender: logs[0].device).count - 2 == 24)
    }

    @Test func `each side receives the batches it lacks and acknowledges them`() throws {
        var pair = SyncPair(
            NumberReplica(logs: [logs[0]: 3, logs[1]: 1]),
            NumberReplica(logs: [logs[1]: 4, logs[2]: 2]))
        pair.share(0)
        pair.share(1)
        #expect(try pair.settle())
        #expect(pair.isEqual)
        #expect(pair.ends[0].replica.logs == [logs[0]: 3, logs[1]: 4, logs[2]: 2])
        #expect(pair.ends[0].acknowledged[logs[0]] == 3)
    }

    @Test func `progress counts what is here, what the peer has, and all that either has`() throws {
        var pair = SyncPair(
            NumberReplica(logs: [logs[0]: 3, logs[1]: 1]),
            NumberReplica(logs: [logs[1]: 4, logs[2]: 2]))
        #expect(pair.ends[0].session.progress == (0, 0, 0))
        pair.share(0)
        // Nothing is known of the peer yet.
        #expect(pair.ends[0].session.progress == (4, 0, 4))
        pair.share(1)
        #expect(try pair.settle())
        for end in pair.ends { #expect(end.session.progress == (9, 9, 9)) }
    }

    @Test func `a later batch is pushed at once and only once`() throws {
        var pair = SyncPair(NumberReplica(), NumberReplica())
        pair.share(0)
        pair.share(1)
        #expect(try pair.settle())
        pair.author(logs[0], at: 0)
        #expect(pair.ends[1].inbox.count == 1)
        pair.author(logs[0], at: 0)
        #expect(pair.ends[1].inbox.count == 2)
        #expect(try pair.settle())
        #expect(pair.isEqual)
        #expect(pair.ends[0].acknowledged[logs[0]] == 2)
    }

    @Test func `a space that only one side shares is answered like one that does not exist`()
        throws
    {
        var shared = SyncPair(NumberReplica(logs: [logs[0]: 5]), NumberReplica())
        shared.share(0)
        #expect(try shared.settle())
        let vector = Message.vector(Vector(channel: 0, logs: []))
        var known = shared.ends[1].session
        var unknown = SyncSession(
            localNonce: shared.ends[1].session.localNonce,
            remoteNonce: shared.ends[1].session.remoteNonce)
        #expect(try known.receive(vector) == unknown.receive(vector))
        #expect(try known.receive(vector) == [.send(.none(channel: 0))])
    }

    @Test func `a space shared later is synchronised then`() throws {
        var pair = SyncPair(NumberReplica(logs: [logs[0]: 2]), NumberReplica(logs: [logs[1]: 2]))
        pair.share(0)
        #expect(try pair.settle())
        pair.author(logs[0], at: 0)
        pair.share(1)
        #expect(try pair.settle())
        #expect(pair.isEqual)
    }

    @Test func `a space that is not shared any more is answered as unknown`() throws {
        var pair = SyncPair(NumberReplica(), NumberReplica())
        pair.share(0)
        pair.share(1)
        #expect(try pair.settle())
        _ = pair.ends[1].session.share([])
        pair.author(logs[0], at: 0)
        try pair.step(to: 1)
        #expect(pair.ends[0].inbox == [.none(channel: 0)])
        #expect(pair.ends[1].replica.logs.isEmpty)
    }

    @Test func `a space that the peer omits from its answer is reported as not shared`() throws {
        var pair = SyncPair(NumberReplica(), NumberReplica())
        pair.share(0)
        pair.share(1)
        #expect(try pair.settle())
        _ = pair.ends[1].session.share([])
        pair.perform(pair.ends[0].session.askDigests(onlyUnknown: false), at: 0)
        try pair.step(to: 1)
        let answer = try #require(pair.ends[0].inbox.first)
        #expect(try pair.ends[0].session.receive(answer).contains(.notShared(SyncPair.space)))
    }

    @Test func `a space that the peer lacks is not asked about until the peer announces it`()
        throws
    {
        var pair = SyncPair(NumberReplica(logs: [logs[0]: 1]), NumberReplica())
        pair.share(0)
        pair.share(1)
        #expect(try pair.settle())
        _ = pair.ends[1].session.share([])
        pair.perform(pair.ends[0].session.askDigests(onlyUnknown: false), at: 0)
        #expect(try pair.settle())
        #expect(pair.ends[0].session.remoteDigest(of: SyncPair.space) == nil)
        pair.author(logs[0], at: 0)
        #expect(pair.ends[0].session.askDigests(onlyUnknown: true).isEmpty)
        pair.share(1)
        #expect(try pair.settle())
        #expect(pair.isEqual)
        #expect(pair.ends[0].session.remoteDigest(of: SyncPair.space) != nil)
    }

    @Test func `batches lost before they were stored are sent again after a question`() throws {
        var pair = SyncPair(NumberReplica(logs: [logs[0]: 3]), NumberReplica())
        pair.share(0)
        pair.share(1)
        #expect(try pair.settle())
        // The end that had stored the batches lost them, as after a failed write.
        pair.ends[1].replica.logs = [:]
        pair.perform(
            pair.ends[1].session.advanced(pair.ends[1].replica.here(SyncPair.space)), at: 1)
        for end in [1, 0] {
            pair.perform(pair.ends[end].session.askDigests(onlyUnknown: true), at: end)
            #expect(try pair.settle())
        }
        #expect(pair.isEqual)
    }

    @Test func `answers are matched to their questions`() throws {
        let replica = NumberReplica(logs: [logs[0]: 1])
        var pair = SyncPair(replica, replica)
        pair.share(0)
        pair.share(1)
        #expect(try pair.settle())
        _ = pair.ends[0].session.askDigests(onlyUnknown: false)
        #expect(pair.ends[0].session.lastQuestion == 1)
        pair.perform(pair.ends[0].session.askDigests(onlyUnknown: false), at: 0)
        #expect(pair.ends[0].session.lastQuestion == 2)
        try pair.step(to: 1)
        let answer = try #require(pair.ends[0].inbox.first)
        #expect(
            try pair.ends[0].session.receive(answer).contains(.digestsAnswered(question: 1)))
    }

    @Test func `an acknowledgement of batches that were never sent is ignored`() throws {
        var pair = SyncPair(NumberReplica(logs: [logs[0]: 1]), NumberReplica())
        pair.share(0)
        pair.share(1)
        #expect(try pair.settle())
        let reach = Vector.Reach(log: logs[0], low: 1, high: 9, prefix: 0)
        let effects = try pair.ends[0].session.receive(
            .acknowledge(Vector(channel: 0, logs: [reach])))
        #expect(effects.isEmpty)
    }

    @Test func `another batch with the number of a stored one is reported as a fork`() throws {
        var pair = SyncPair(NumberReplica(logs: [logs[0]: 2]), NumberReplica())
        pair.share(0)
        pair.share(1)
        #expect(try pair.settle())
        let reach = Vector.Reach(log: logs[0], low: 1, high: 2, prefix: 1)
        let effects = try pair.ends[0].session.receive(
            .vector(Vector(channel: 0, logs: [reach])))
        #expect(effects.contains(.forked(SyncPair.space, logs[0], number: 2)))
    }

    @Test func `a side is told once that the peer shares a space, after which messages reach it`()
        throws
    {
        var pair = SyncPair(NumberReplica(), NumberReplica())
        func message(_ pair: inout SyncPair) -> [SyncSession.Effect] {
            pair.ends[0].session.ephemeral(
                SyncPair.space, topic: "location", body: [1], expiry: .seconds(1))
        }
        pair.share(0)
        #expect(message(&pair).isEmpty)
        pair.share(1)
        let effects = try pair.ends[0].session.receive(pair.ends[0].inbox.removeFirst())
        #expect(effects.contains(.shared(SyncPair.space)))
        #expect(message(&pair).count == 1)
        pair.perform(effects, at: 0)
        // The side that named it later hears so too: the peer's announcement waited for it.
        let later = try pair.ends[1].session.receive(pair.ends[1].inbox.removeFirst())
        #expect(later.contains(.shared(SyncPair.space)))
        let question = pair.ends[1].session.askDigests(onlyUnknown: false)
        guard case .send(let asked) = try #require(question.first) else { return }
        let repeated = try pair.ends[0].session.receive(asked)
        #expect(!repeated.contains(.shared(SyncPair.space)))
    }

    @Test func `a side that shares a space again is told so again`() throws {
        var pair = SyncPair(NumberReplica(), NumberReplica())
        pair.share(1)
        let announcement = pair.ends[0].inbox.removeFirst()
        #expect(try pair.ends[0].session.receive(announcement).isEmpty)
        let here = pair.ends[0].replica.here(SyncPair.space)
        for _ in 0..<2 {
            let effects = pair.ends[0].session.share([here])
            #expect(effects.contains(.shared(SyncPair.space)))
            #expect(pair.ends[0].session.share([]).isEmpty)
        }
    }

    @Test func `a repeated ephemeral message is delivered once`() throws {
        var pair = SyncPair(NumberReplica(), NumberReplica())
        pair.share(0)
        pair.share(1)
        #expect(try pair.settle())
        let sent = pair.ends[0].session.ephemeral(
            SyncPair.space, topic: "location", body: [1], expiry: .milliseconds(1000))
        guard case .send(let message) = try #require(sent.first) else { return }
        #expect(try pair.ends[1].session.receive(message).count == 1)
        #expect(try pair.ends[1].session.receive(message).isEmpty)
    }

    @Test func `more spaces than a link may announce end it`() throws {
        var session = SyncPair(NumberReplica(), NumberReplica()).ends[0].session
        func entries(_ range: Range<UInt64>) -> Message {
            .have(
                Have(
                    round: .announcement,
                    entries: range.map {
                        Have.Entry(token: Token(rawValue: $0), digest: Bytes16.zero)
                    }))
        }
        #expect(try session.receive(entries(0..<4096)).isEmpty)
        #expect(throws: SyncFault.tooManySpaces) { try session.receive(entries(4096..<4097)) }
    }

    @Test(arguments: 0..<200)
    func `any interleaving of edits and messages ends equal and in sync`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var pair = SyncPair(NumberReplica(), NumberReplica())
        var isShared = [false, false]
        for _ in 0..<120 {
            let end = Int.random(in: 0...1, using: &generator)
            switch Int.random(in: 0...3, using: &generator) {
            case 0:
                // A log has one author, at one end.
                pair.author(logs[end * 2 + Int.random(in: 0...1, using: &generator)], at: end)
            case 1 where !isShared[end]:
                isShared[end] = true
                pair.share(end)
            default: try pair.step(to: end)
            }
        }
        for end in 0...1 where !isShared[end] { pair.share(end) }
        #expect(try pair.settle())
        #expect(pair.isEqual)
        pair.perform(pair.ends[0].session.askDigests(onlyUnknown: true), at: 0)
        pair.perform(pair.ends[1].session.askDigests(onlyUnknown: true), at: 1)
        #expect(try pair.settle())
        #expect(pair.ends.allSatisfy { $0.session.isInSync(SyncPair.space) })
    }
}
