import Links
import PluginKit
import Records
import Testing

@testable import Node

/// Dials that only show whose an announcement is, while somebody is missing and there is no room.
@Suite struct LookUpTests {
    private func target(_ key: String) -> DialPlan.Target {
        DialPlan.Target(
            key: key, addresses: [LinkAddress(host: "192.0.2.1", port: 1)], expecting: nil,
            isManual: false)
    }

    /// A plan of so many strangers, all due.
    private func plan(_ count: Int) -> DialPlan {
        var plan = DialPlan()
        for number in 0..<count { plan.set(target("\(number)"), now: .zero) }
        return plan
    }

    private func due(
        _ plan: inout DialPlan, _ now: Duration, strangers: Int = DialPlan.strangersMax,
        isAnyoneMissing: Bool = true
    ) -> [String] {
        plan.startDue(
            now: now, strangersAcceptedCount: strangers, isAnyoneMissing: isAnyoneMissing
        ) { _ in false }.map(\.key)
    }

    /// Ends a dial whose HELLO showed a stranger.
    private func turnAway(_ key: String, _ plan: inout DialPlan, _ now: Duration) {
        plan.recordStranger(at: key)
        plan.ended(key, lasted: nil, now: now, jitter: 0)
    }

    @Test func `without room, a stranger is looked up every 2 s while somebody is missing`() {
        var plan = plan(3)
        #expect(due(&plan, .zero, isAnyoneMissing: false).isEmpty)
        #expect(due(&plan, .zero).count == 1)
        #expect(due(&plan, .milliseconds(1999)).isEmpty)
        #expect(due(&plan, .seconds(2), isAnyoneMissing: false).isEmpty)
        #expect(due(&plan, .seconds(2)).count == 1)
    }

    @Test func `with room for one, two strangers are not dialled at once`() {
        var plan = plan(3)
        #expect(due(&plan, .zero, strangers: DialPlan.strangersMax - 1).count == 1)
        // That dial has the last room, so the next one is a look-up.
        #expect(due(&plan, .zero, strangers: DialPlan.strangersMax - 1).count == 1)
        #expect(due(&plan, .zero, strangers: DialPlan.strangersMax - 1).isEmpty)
    }

    @Test func `each stranger is looked up once, until others are related or the tag changes`() {
        var plan = plan(2)
        var found: [String] = []
        for second in stride(from: 0, to: 600, by: 2) {
            for key in due(&plan, .seconds(second)) {
                found.append(key)
                turnAway(key, &plan, .seconds(second))
            }
        }
        #expect(found.sorted() == ["0", "1"])
        plan.forgetStrangers()
        #expect(due(&plan, .seconds(600)).count == 1)
        var plan2 = self.plan(1)
        #expect(due(&plan2, .zero) == ["0"])
        turnAway("0", &plan2, .zero)
        #expect(due(&plan2, .seconds(60)).isEmpty)
        plan2.remove("0")
        plan2.set(target("0 under a new tag"), now: .seconds(60))
        #expect(due(&plan2, .seconds(60)) == ["0 under a new tag"])
    }

    @Test func `a stranger who did not answer is looked up again, after those not tried yet`() {
        var plan = plan(2)
        let first = due(&plan, .zero)
        plan.ended(first[0], lasted: nil, now: .zero, jitter: 0)
        let second = due(&plan, .seconds(10))
        #expect(second != first)
        #expect(due(&plan, .seconds(20)) == first)
    }

    @Test func `at most four strangers are looked up at a time`() {
        var plan = plan(20)
        let started = (0..<20).flatMap { due(&plan, .seconds($0 * 2)) }
        #expect(started.count == LookUpPace.atOnceMax)
        turnAway(started[0], &plan, .seconds(40))
        #expect(due(&plan, .seconds(40)).count == 1)
    }

    @Test func `a stranger who was looked up and kept counts towards the limit`() {
        var plan = plan(20)
        let started = (0..<LookUpPace.atOnceMax).flatMap { due(&plan, .seconds($0 * 2)) }
        // Room became free meanwhile, and this link took it.
        plan.record(started[0], isKnown: false)
        let strangers = DialPlan.strangersMax - 1
        #expect(due(&plan, .seconds(8), strangers: strangers, isAnyoneMissing: false).isEmpty)
        // One look-up fewer is under way.
        #expect(due(&plan, .seconds(8), strangers: strangers).count == 1)
    }
}
