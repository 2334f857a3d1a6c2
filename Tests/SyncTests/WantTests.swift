import Records
import Testing

@testable import Sync

/// Tests that missing batches are requested, but not for ever if the peer lacks them too.
@Suite struct WantTests {
    private let log = LogName(device: DeviceID(raw: Digest.header.hash([1])))

    /// The messages that two sessions exchanged.
    private struct Exchange {
        var framesCount = 0
        var sentBatchesCount: UInt64 = 0
    }

    /// Runs two sessions with equal digests that both lack the same body and request it whenever
    /// they are in sync. Both ask for unknown digests twice a second.
    private func run(_ seconds: Int) throws -> Exchange {
        let replica = NumberReplica(logs: [log: 1000])
        var pair = SyncPair(replica, replica)
        let ends = [LogReach(NumberReplica.state(log, 10).head)]
        var exchange = Exchange()
        var now = Duration.zero
        func perform(_ effects: [SyncSession.Effect], at end: Int) {
            pair.perform(effects, at: end)
            for case .inSync(let space, true) in effects {
                pair.perform(
                    pair.ends[end].session.wants(after: ends, in: space, now: now), at: end)
            }
        }
        func deliver() throws {
            while let end = pair.ends.indices.first(where: { !pair.ends[$0].inbox.isEmpty }) {
                exchange.framesCount += 1
                let message = pair.ends[end].inbox.removeFirst()
                perform(try pair.ends[end].session.receive(message), at: end)
            }
        }
        for end in [0, 1] {
            perform(pair.ends[end].session.share([replica.here(SyncPair.space)]), at: end)
        }
        for _ in 0..<seconds * 2 {
            for end in [0, 1] {
                perform(pair.ends[end].session.askDigests(onlyUnknown: true), at: end)
            }
            try deliver()
            now += .milliseconds(500)
        }
        exchange.sentBatchesCount = pair.ends.reduce(0) { $0 + $1.sentBatchesCount }
        return exchange
    }

    @Test func `two peers that lack the same body ask each other a few times, then pause`() throws {
        let minute = try run(60)
        #expect(minute.framesCount > 4)
        #expect(minute.framesCount < 100)
        #expect(minute.sentBatchesCount < 10 * 1000)
        // An hour has time for sixty times as many requests.
        let hour = try run(3600)
        #expect(hour.framesCount < 4 * minute.framesCount)
        #expect(hour.sentBatchesCount < 40 * 1000)
    }

    @Test func `the same request is repeated after a pause that doubles up to an hour`() {
        var allowance = WantAllowance()
        let ends: Set = [LogReach(NumberReplica.state(log, 10).head)]
        let asked = (0..<20_000).filter {
            allowance.permitRequest(ends, in: SyncPair.space, now: .seconds($0))
        }
        #expect(
            asked == [
                0, 10, 30, 70, 150, 310, 630, 1270, 2550, 5110, 8710, 12_310, 15_910, 19_510,
            ])
    }

    @Test func `another request is sent at once, and so is one that a person asks for`() {
        var allowance = WantAllowance()
        let (some, other): (Set<LogReach>, Set<LogReach>) = (
            [LogReach(NumberReplica.state(log, 10).head)],
            [LogReach(NumberReplica.state(log, 11).head)]
        )
        let permitted = [(some, 0), (some, 9), (other, 9), (other, 9)].map { ends, seconds in
            allowance.permitRequest(ends, in: SyncPair.space, now: .seconds(seconds))
        }
        #expect(permitted == [true, false, true, false])
        allowance.forget(SyncPair.space)
        let isPermitted = allowance.permitRequest(other, in: SyncPair.space, now: .seconds(9))
        #expect(isPermitted)
    }
}
