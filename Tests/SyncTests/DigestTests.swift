import Records
import Testing

@testable import Sync

/// Digests of one space that a peer repeats.
@Suite struct DigestTests {
    private let logs = (1...230).map { number in
        LogName(device: DeviceID(raw: Digest.header.hash([UInt8(number)])))
    }

    /// Returns what a session with many logs does about HAVEs in which right and wrong digests of
    /// one token take turns.
    private func effects(
        _ haves: [(round: Have.Round, digestsCount: Int)]
    ) throws -> [[SyncSession.Effect]] {
        let replica = NumberReplica(logs: Dictionary(uniqueKeysWithValues: logs.map { ($0, 1) }))
        var session = SyncPair(replica, replica).ends[0].session
        let here = replica.here(SyncPair.space)
        _ = session.share([here])
        let token = session.remoteToken(of: SyncPair.space)
        var number = 0
        return try haves.map { round, count in
            let entries = (0..<count).map { _ in
                number += 1
                return Have.Entry(token: token, digest: number % 2 == 1 ? .zero : here.digest)
            }
            return try session.receive(.have(Have(round: round, entries: entries)))
        }
    }

    private func heads(_ effects: [SyncSession.Effect]) -> Int {
        effects.reduce(0) { sum, effect in
            guard case .acknowledged(_, let reaches) = effect else { return sum }
            return sum + reaches.count
        }
    }

    @Test func `a space is compared once for each message, however often it is named`() throws {
        let have = try effects([(.announcement, Limits.linkSpacesMax)])[0]
        #expect(
            have == [
                .shared(SyncPair.space),
                .acknowledged(SyncPair.space, have.reaches),
                .inSync(SyncPair.space, true),
            ])
        #expect(heads(have) == logs.count)
    }

    @Test func `the answer to a question names a space once`() throws {
        let answers = try effects([(.question, Limits.linkSpacesMax)])[0].compactMap { effect in
            if case .send(.have(let have)) = effect { have } else { Have?.none }
        }
        #expect(answers.map(\.entries.count) == [1])
    }

    @Test func `the same batches are not acknowledged again when a right digest comes again`()
        throws
    {
        let haves = try effects((0..<100).map { _ in (.announcement, 1) })
        #expect(haves.reduce(0) { $0 + heads($1) } == logs.count)
    }
}

extension [SyncSession.Effect] {
    /// The first acknowledgement's reaches.
    fileprivate var reaches: [LogReach] {
        for case .acknowledged(_, let reaches) in self { return reaches }
        return []
    }
}
