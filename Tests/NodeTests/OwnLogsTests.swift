import Contract
import Testing

@testable import Node

/// Whether this device may write to its logs, and whether a copy of its home may.
struct OwnLogsTests {
    private struct DiskIsFull: Error {}

    private func restored() -> OwnLogs { OwnLogs(isDoubtful: true, isCut: false, now: .zero) }

    @Test func `a home that nothing is doubtful about may write, and peers are not looked at`() {
        var logs = OwnLogs(isDoubtful: false, isCut: false, now: .zero)
        #expect(logs.mayWrite && logs.unsettledReason == nil)
        var isLookedAt = false
        func peers() -> [Bool] {
            isLookedAt = true
            return []
        }
        let state = logs.look(peers: peers(), now: .seconds(100))
        #expect(state == nil && !isLookedAt)
    }

    @Test func `a restored home may write once its peers hold the same`() {
        var logs = restored()
        #expect(
            logs.unsettledReason?.english.contains("a backup of this device was restored") == true)
        let states = [1, 2].map { logs.look(peers: [true], now: .seconds($0)) }
        #expect(states == [.settling(since: .zero), .settled])
        #expect(logs.mayWrite && logs.unsettledReason == nil)
    }

    @Test func `a key change that failed is the reason until the next start`() {
        var logs = restored()
        let state = logs.look(peers: [], now: OwnLogCheck.peerWait)
        #expect(state == .needsNewKey(.nobodyInReach))
        #expect(logs.unsettledReason?.english.contains("continues under a new key") == true)
        logs.recordNewKeyFault(DiskIsFull(), because: .nobodyInReach)
        #expect(
            logs.unsettledReason?.english.contains("no new key could be made: DiskIsFull") == true)
        let later = logs.look(peers: [true], now: .seconds(100))
        #expect(later == nil && !logs.mayWrite)
    }

    @Test func `a log that was cut before the start needs a new key`() {
        var logs = OwnLogs(isDoubtful: false, isCut: true, now: .zero)
        let state = logs.look(peers: [true], now: .zero)
        #expect(state == .needsNewKey(.ownLogCut))
    }

    @Test func `a replaced link counts after the wait, unless this node opened the new one`() {
        var logs = restored()
        logs.recordReplacedLink(with: DeviceIDs.one, now: .zero)
        logs.recordReplacedLink(with: DeviceIDs.two, now: .zero)
        logs.recordLink(with: DeviceIDs.two)
        let wait = OwnLogs.replacementWait
        let due = [wait - .milliseconds(1), wait, wait].map {
            logs.removeDueReplacements(now: $0)
        }
        #expect(due == [[], [DeviceIDs.one], []])
    }
}
