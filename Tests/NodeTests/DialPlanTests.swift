import Links
import Records
import Testing

@testable import Node

@Suite struct DialPlanTests {
    private func target(_ key: String, mate: Bool = false, manual: Bool = false)
        -> DialPlan.Target
    {
        DialPlan.Target(
            key: key, addresses: [LinkAddress(host: "192.0.2.1", port: 1)],
            expecting: mate ? DeviceID(raw: Digest.header.hash([1])) : nil, isManual: manual)
    }

    private func due(
        _ plan: inout DialPlan, _ now: Duration, strangers: Int = 0
    ) -> [String] {
        plan.startDue(now: now, strangersAcceptedCount: strangers) { _ in false }.map(\.key)
    }

    @Test func `a target has at most one dial at a time`() {
        var plan = DialPlan()
        plan.set(target("a", mate: true), now: .zero)
        #expect(due(&plan, .zero) == ["a"])
        #expect(due(&plan, .seconds(100)).isEmpty)
        plan.ended("a", lasted: nil, now: .seconds(100), jitter: 0.5)
        #expect(due(&plan, .seconds(100)).isEmpty)
        #expect(due(&plan, .seconds(101)) == ["a"])
    }

    @Test func `each failure doubles the pause up to a minute`() {
        var plan = DialPlan()
        plan.set(target("a", mate: true), now: .zero)
        var now = Duration.zero
        var pauses: [Duration] = []
        for _ in 0..<10 {
            let begun = now
            while due(&plan, now).isEmpty { now += .milliseconds(100) }
            pauses.append(now - begun)
            plan.ended("a", lasted: nil, now: now, jitter: 0.5)
        }
        #expect(pauses[1] == .milliseconds(500))
        #expect(pauses[2] == .seconds(1))
        #expect(pauses[9] == .seconds(60))
    }

    @Test func `after a link that lasted, the next attempt comes soon`() {
        var plan = DialPlan()
        plan.set(target("a", mate: true), now: .zero)
        for _ in 0..<6 {
            _ = due(&plan, .seconds(1000))
            plan.ended("a", lasted: nil, now: .zero, jitter: 0.5)
        }
        _ = due(&plan, .seconds(1000))
        plan.ended("a", lasted: .seconds(11), now: .seconds(1000), jitter: 0.5)
        #expect(due(&plan, .milliseconds(1_000_500)) == ["a"])
    }

    @Test func `at most eight strangers are dialled, and mates never wait`() {
        var plan = DialPlan()
        for number in 0..<20 { plan.set(target("stranger \(number)"), now: .zero) }
        plan.set(target("mate", mate: true), now: .seconds(1))
        plan.set(target("typed", manual: true), now: .seconds(1))
        let taken = due(&plan, .seconds(1))
        #expect(taken.count { $0.hasPrefix("stranger") } == 8)
        #expect(taken.contains("mate"))
        #expect(taken.contains("typed"))
    }

    @Test func `linked strangers count towards the limit`() {
        var plan = DialPlan()
        for number in 0..<20 { plan.set(target("stranger \(number)"), now: .zero) }
        #expect(due(&plan, .zero, strangers: 7).count == 1)
        #expect(due(&plan, .zero, strangers: 8).isEmpty)
    }

    @Test func `a person whom a link showed to be in a group does not count as a stranger`() {
        var plan = DialPlan()
        for number in 0..<8 { plan.set(target("stranger \(number)"), now: .zero) }
        plan.set(target("a ninth"), now: .zero, delay: .seconds(1))
        #expect(due(&plan, .zero).count == 8)
        plan.record("stranger 0", isKnown: true)
        #expect(due(&plan, .seconds(1)) == ["a ninth"])
        plan.ended("stranger 0", lasted: nil, now: .seconds(1), jitter: 0)
        #expect(due(&plan, .seconds(2)) == ["stranger 0"])
        plan.record("stranger 0", isKnown: false)
        plan.ended("stranger 0", lasted: nil, now: .seconds(2), jitter: 0)
        #expect(due(&plan, .seconds(60)).isEmpty)
    }

    @Test func `a target that was removed is not dialled`() {
        var plan = DialPlan()
        plan.set(target("a", mate: true), now: .zero)
        plan.remove("a")
        #expect(due(&plan, .seconds(1)).isEmpty)
    }

    @Test func `a target that a link already leads to is not dialled`() {
        var plan = DialPlan()
        plan.set(target("a", mate: true), now: .zero)
        #expect(plan.startDue(now: .zero, strangersAcceptedCount: 0) { _ in true }.isEmpty)
        #expect(due(&plan, .zero) == ["a"])
    }

    @Test func `a person who wants to meet is dialled first, even if there is no room`() {
        var plan = DialPlan()
        for number in 0..<20 { plan.set(target("stranger \(number)"), now: .zero) }
        for number in 0..<6 {
            var sought = target("sought \(number)")
            sought.isSought = true
            plan.set(sought, now: .seconds(1))
        }
        let taken = due(&plan, .seconds(1), strangers: 8)
        #expect(taken.count == DialPlan.soughtMax)
        #expect(taken.allSatisfy { $0.hasPrefix("sought") })
    }

    @Test func `a target added by address is not a stranger, and an unknown target is one`() {
        var plan = DialPlan()
        plan.set(target("typed", manual: true), now: .zero)
        plan.set(target("mate", mate: true), now: .zero)
        plan.set(target("other"), now: .zero)
        #expect(
            ["typed", "mate", "other", "gone"].map(plan.isStranger) == [false, false, true, true])
    }
}
