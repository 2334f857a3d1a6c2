import Records
import Testing

@testable import Sync

/// What is missing is asked for, and not for ever where the peer misses it too.
@Suite struct WantTests {
    private let log = LogName(device: DeviceID(raw: Digest.header.hash([1])))

    /// What two sessions said to each other.
    private struct Exchange {
        var framesCount = 0
        var sentBatchesCount: UInt64 = 0
    }

    /// Lets two sessions with equal digests run that both miss the body after the same batch, and
    /// ask whenever they hear that they are in sync. Both ask for digests twice a second where
    /// they do not know.
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

    @Test func `two that miss the same body ask each other a few times and then rest`() throws {
        let minute = try run(60)
        #expect(minute.framesCount > 4)
        #expect(minute.framesCount < 100)
        #expect(minute.sentBatchesCount < 10 * 1000)
        // An hour has room for sixty times as much.
        let hour = try run(3600)
        #expect(hour.framesCount < 4 * minute.framesCount)
        #expect(hour.sentBatchesCount < 40 * 1000)
    }

    @Test func `the same is asked for again after a pause that doubles up to an hour`() {
        var allowance = WantAllowance()
        let ends: Set = [LogReach(NumberReplica.state(log, 10).head)]
        let asked = (0..<20_000).filter {
            allowance.take(ends, in: SyncPair.space, now: .seconds($0))
        }
        #expect(
            asked == [
                0, 10, 30, 70, 150, 310, 630, 1270, 2550, 5110, 8710, 12_310, 15_910, 19_510,
            ])
    }

    @Test func `something else is asked for at once, and so is what somebody here wants`() {
        var allowance = WantAllowance()
        let (some, other): (Set<LogReach>, Set<LogReach>) = (
            [LogReach(NumberReplica.state(log, 10).head)],
            [LogReach(NumberReplica.state(log, 11).head)]
        )
        let taken = [(some, 0), (some, 9), (other, 9), (other, 9)].map { ends, seconds in
            allowance.take(ends, in: SyncPair.space, now: .seconds(seconds))
        }
        #expect(taken == [true, false, true, false])
        allowance.forget(SyncPair.space)
        let isTaken = allowance.take(other, in: SyncPair.space, now: .seconds(9))
        #expect(isTaken)
    }
}
