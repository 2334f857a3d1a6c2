import Testing

@testable import Node

@Suite struct OwnLogCheckTests {
    private typealias State = OwnLogCheck.State

    private func check(_ looks: [(seconds: Double, peers: [Bool])]) -> State {
        var check = OwnLogCheck(isDoubtful: true, now: .seconds(1))
        for look in looks { check.look(peers: look.peers, now: .seconds(1 + look.seconds)) }
        return check.state
    }

    @Test func `without a doubt, writing is allowed at once`() {
        #expect(OwnLogCheck(isDoubtful: false, now: .zero).mayWrite)
        #expect(!OwnLogCheck(isDoubtful: true, now: .zero).mayWrite)
    }

    @Test func `a peer that holds the same settles the check after 2 s and not before`() {
        #expect(check([(1.999, [true])]) == State.settling(since: .seconds(1)))
        #expect(check([(2, [true])]) == State.settled)
    }

    @Test func `after a cut of the device's log, only a new key may write, even if peers agree`() {
        var check = OwnLogCheck(isDoubtful: false, now: .zero)
        check.recordCut()
        for second in 1...120 { check.look(peers: [true], now: .seconds(second)) }
        #expect(check.state == State.needsNewKey(.ownLogCut))
    }

    @Test func `if another device of the person ended a log, only a new key may write`() {
        var check = OwnLogCheck(isDoubtful: false, now: .zero)
        check.recordEnded()
        for second in 1...120 { check.look(peers: [true], now: .seconds(second)) }
        #expect(check.state == State.needsNewKey(.ownLogEnded))
    }

    @Test func `every peer in reach must hold the same`() {
        #expect(check([(5, [true, false])]) == State.settling(since: .seconds(1)))
        #expect(check([(5, [true, false]), (6, [true, true])]) == State.settled)
    }

    @Test func `with no peer in reach, a new key is needed after 10 s and not before`() {
        #expect(check([(9.999, [])]) == State.settling(since: .seconds(1)))
        #expect(check([(10, [])]) == State.needsNewKey(.nobodyInReach))
    }

    @Test func `the wait for a peer restarts when the last one has gone`() {
        #expect(check([(5, [false]), (14.9, [])]) == State.settling(since: .seconds(1)))
        #expect(check([(5, [false]), (15, [])]) == State.needsNewKey(.nobodyInReach))
    }

    @Test func `a peer that never holds the same does not prevent writing forever`() {
        let looks = stride(from: 1.0, through: 59, by: 1).map { (seconds: $0, peers: [false]) }
        #expect(check(looks) == State.settling(since: .seconds(1)))
        #expect(check(looks + [(60, [false])]) == State.needsNewKey(.notEqualInTime))
    }

    @Test func `the decision is final`() {
        #expect(check([(2, [true]), (100, [])]) == State.settled)
        #expect(check([(10, []), (11, [true])]) == State.needsNewKey(.nobodyInReach))
    }
}
