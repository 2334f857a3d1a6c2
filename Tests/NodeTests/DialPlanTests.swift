import Links
import PluginKit
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

    private func wants(_ plan: inout DialPlan, _ key: String, _ now: Duration) -> Bool {
        plan.want(key, now: now)
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

    @Test func `each failure doubles the pause up to half a minute`() {
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
        #expect(pauses[9] == .seconds(30))
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

    @Test func `a stranger whom someone wants is dialled without room, for 5 s`() {
        var plan = DialPlan()
        plan.set(target("a"), now: .zero)
        #expect(due(&plan, .zero, strangers: DialPlan.strangersMax).isEmpty)
        #expect(wants(&plan, "a", .zero))
        #expect(due(&plan, .zero, strangers: DialPlan.strangersMax) == ["a"])
        plan.ended("a", lasted: nil, now: .zero, jitter: 0.5)
        #expect(due(&plan, .seconds(4), strangers: DialPlan.strangersMax) == ["a"])
        plan.ended("a", lasted: nil, now: .seconds(4), jitter: 0.5)
        #expect(due(&plan, .seconds(60), strangers: DialPlan.strangersMax).isEmpty)
        #expect(!wants(&plan, "b", .zero))
    }

    @Test func `wanting a target begins its pauses anew once, not with every call`() {
        var plan = DialPlan()
        plan.set(target("a", mate: true), now: .zero)
        for _ in 0..<10 {
            _ = due(&plan, .seconds(1000))
            plan.ended("a", lasted: nil, now: .seconds(1000), jitter: 0.5)
        }
        #expect(due(&plan, .seconds(1001)).isEmpty)
        #expect(wants(&plan, "a", .seconds(1001)))
        #expect(due(&plan, .seconds(1001)) == ["a"])
        plan.ended("a", lasted: nil, now: .seconds(1001), jitter: 0.5)
        #expect(wants(&plan, "a", .seconds(1001)))
        #expect(due(&plan, .seconds(1001)).isEmpty)
    }

    @Test func `a target is in trouble after three failures in a row`() throws {
        var plan = DialPlan()
        plan.set(target("a", mate: true), now: .zero)
        let failure = try #require(ConnectionTrouble(LinkFault.silent))
        for count in 1...3 {
            _ = due(&plan, .seconds(count * 100))
            plan.record(failure, at: "a")
            plan.ended("a", lasted: nil, now: .seconds(count * 100), jitter: 0.5)
            #expect(plan.trouble(at: "a") == (count == 3 ? failure : nil))
            #expect(plan.isNewTrouble(at: "a") == (count == 3))
        }
    }

    @Test func `only a stranger whom nobody seeks waits for room`() {
        var plan = DialPlan()
        var sought = target("sought")
        sought.isSought = true
        for each in [target("stranger"), sought, target("mate", mate: true)] {
            plan.set(each, now: .zero)
        }
        plan.set(target("address", manual: true), now: .zero)
        plan.set(target("known"), now: .zero)
        plan.record("known", isKnown: true)
        let full = DialPlan.strangersMax
        #expect(plan.waitsForRoom("stranger", full))
        #expect(!plan.waitsForRoom("stranger", full - 1))
        for key in ["sought", "mate", "address", "known", "nobody"] {
            #expect(!plan.waitsForRoom(key, full))
        }
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

    /// Targets that repeat the tag of one mate's device, each with 16 addresses.
    private func repeated(_ count: Int) -> [DialPlan.Target] {
        (0..<count).map { number in
            DialPlan.Target(
                key: "fake \(number)",
                addresses: (1...16).map {
                    LinkAddress(host: "192.0.2.\($0)", port: UInt16(1000 + number))
                },
                expecting: DeviceID(raw: Digest.header.hash([1])), isManual: false)
        }
    }

    @Test func `repeated tags are dialled a few at a time and so many a minute`() {
        var plan = DialPlan()
        for target in repeated(1024) { plan.set(target, now: .zero) }
        var (dialsPerMinute, busyMax) = ([Int](repeating: 0, count: 5), 0)
        var busy: [(key: String, until: Duration)] = []
        for second in 0..<300 {
            let now = Duration.seconds(second)
            for ended in busy where ended.until <= now {
                plan.ended(ended.key, lasted: nil, now: now, jitter: 0.5)
            }
            busy.removeAll { $0.until <= now }
            let taken = plan.startDue(now: now, strangersAcceptedCount: 0) { _ in false }
            for target in taken {
                #expect(target.addresses.count == 1)
                if permitDial(&plan, target, now) { dialsPerMinute[second / 60] += 1 }
                busy.append((target.key, now + .seconds(second < 150 ? 5 : 1)))
            }
            busyMax = max(busyMax, busy.count)
        }
        #expect(busyMax == DialPlan.diallingPerDeviceMax)
        #expect(dialsPerMinute.allSatisfy { $0 <= DialBudget.perDeviceAndMinuteMax })
        #expect(dialsPerMinute[4] == DialBudget.perDeviceAndMinuteMax)
    }

    @Test func `a mate among repeated tags is dialled before those that failed`() {
        var plan = DialPlan()
        for target in repeated(1023) { plan.set(target, now: .zero) }
        var dialled: Set<String> = []
        for second in 0..<600 where !dialled.contains("mate") {
            let now = Duration.seconds(second)
            if second == 10 { plan.set(target("mate", mate: true), now: now) }
            let taken = plan.startDue(now: now, strangersAcceptedCount: 0) { _ in false }
            for target in taken {
                _ = permitDial(&plan, target, now)
                plan.ended(target.key, lasted: nil, now: now, jitter: 0.5)
                dialled.insert(target.key)
            }
        }
        #expect(dialled.contains("mate"))
    }

    @Test func `the address of a mate's last link is dialled first`() throws {
        var plan = DialPlan()
        let fakes = repeated(100)
        for target in fakes { plan.set(target, now: .zero) }
        let device = try #require(fakes[0].expecting)
        plan.prove(LinkAddress(host: "192.0.2.9", port: 1077), of: device)
        #expect(due(&plan, .zero).first == "fake 77")
    }

    @Test func `an address of another device is not dialled again for the expected one`()
        throws
    {
        var plan = DialPlan()
        let fake = try #require(repeated(1).first)
        let device = try #require(fake.expecting)
        plan.set(fake, now: .zero)
        for address in fake.addresses.dropLast() { plan.disprove(address, for: device) }
        let taken = plan.startDue(now: .zero, strangersAcceptedCount: 0) { _ in false }
        #expect(taken.map(\.addresses) == [Array(fake.addresses.suffix(1))])
        plan.ended(fake.key, lasted: nil, now: .zero, jitter: 0)
        plan.disprove(try #require(fake.addresses.last), for: device)
        #expect(due(&plan, .seconds(100)).isEmpty)
        plan.forgetDisproved()
        #expect(due(&plan, .seconds(100)) == [fake.key])
    }

    @Test func `an address at which the device is linked later is dialled for it again`() throws {
        var plan = DialPlan()
        let target = try #require(repeated(1).first)
        let device = try #require(target.expecting)
        plan.set(target, now: .zero)
        for address in target.addresses { plan.disprove(address, for: device) }
        #expect(due(&plan, .zero).isEmpty)
        plan.prove(try #require(target.addresses.first), of: device)
        let started = plan.startDue(now: .zero, strangersAcceptedCount: 0) { _ in false }
        #expect(started.map(\.addresses) == [Array(target.addresses.prefix(1))])
    }

    @Test func `a dial tries four addresses, and the next dial the ones after them`() {
        var plan = DialPlan()
        let addresses = (1...6).map { LinkAddress(host: "192.0.2.\($0)", port: 1) }
        plan.set(
            DialPlan.Target(
                key: "a", addresses: addresses, expecting: nil, isManual: true), now: .zero)
        var tried: [[LinkAddress]] = []
        for second in [0, 100] {
            tried += plan.startDue(now: .seconds(second), strangersAcceptedCount: 0) { _ in false }
                .map(\.addresses)
            plan.ended("a", lasted: nil, now: .seconds(second), jitter: 0)
        }
        #expect(tried == [Array(addresses[..<4]), Array(addresses[4...] + addresses[..<2])])
    }

    /// Counts the dial of a target's first address.
    private func permitDial(
        _ plan: inout DialPlan, _ target: DialPlan.Target, _ now: Duration
    ) -> Bool {
        target.addresses.first.map { plan.permitDial(of: target, at: $0, now: now) } ?? false
    }

    @Test func `480 addresses are dialled in a minute, and entered ones beyond that`() {
        var budget = DialBudget()
        let permitted = (0..<500).count { _ in
            budget.permitDial(for: nil, isProven: true, now: .seconds(119))
        }
        let isPermittedLater = budget.permitDial(for: nil, isProven: true, now: .seconds(120))
        #expect(permitted == DialBudget.perMinuteMax && isPermittedLater)
        var plan = DialPlan()
        for _ in 0..<500 { _ = permitDial(&plan, target("stranger"), .zero) }
        let isStrangerDialled = permitDial(&plan, target("stranger"), .zero)
        let isTypedDialled = permitDial(&plan, target("typed", manual: true), .zero)
        #expect(!isStrangerDialled && isTypedDialled)
    }

    @Test func `strangers get half of a minute's dials, and a mate linked before the rest`() throws
    {
        var plan = DialPlan()
        let mate = target("mate", mate: true)
        plan.prove(try #require(mate.addresses.first), of: try #require(mate.expecting))
        let permitted = (0..<500).count { _ in permitDial(&plan, target("stranger"), .zero) }
        #expect(permitted == DialBudget.unprovenPerMinuteMax)
        plan.set(target("stranger"), now: .zero)
        plan.set(mate, now: .zero)
        #expect(due(&plan, .zero) == ["mate"])
        let isPermitted = permitDial(&plan, mate, .zero)
        #expect(isPermitted)
    }

    @Test func `repeated tags do not use up the dials of the address where the mate was linked`()
        throws
    {
        var plan = DialPlan()
        let fakes = repeated(200)
        let device = try #require(fakes[0].expecting)
        let mate = DialPlan.Target(
            key: "mate",
            addresses: fakes[0].addresses + [LinkAddress(host: "192.0.2.99", port: 1)],
            expecting: device, isManual: false)
        let proven = try #require(mate.addresses.last)
        plan.prove(proven, of: device)
        let permitted = fakes.count { permitDial(&plan, $0, .zero) }
        #expect(permitted == DialBudget.perDeviceAndMinuteMax)
        plan.set(fakes[0], now: .zero)
        plan.set(mate, now: .zero)
        let started = plan.startDue(now: .zero, strangersAcceptedCount: 0) { _ in false }
        #expect(started.map(\.addresses) == [[proven]])
        let isPermitted = plan.permitDial(of: mate, at: proven, now: .zero)
        #expect(isPermitted)
    }

    @Test func `a refused dial goes on in the next minute and counts as no failure`() {
        var plan = DialPlan()
        let addresses = (1...6).map { LinkAddress(host: "192.0.2.\($0)", port: 1) }
        plan.set(
            DialPlan.Target(key: "a", addresses: addresses, expecting: nil, isManual: false),
            now: .zero)
        #expect(due(&plan, .zero) == ["a"])
        for _ in 0..<500 { _ = permitDial(&plan, target("stranger"), .zero) }
        plan.postpone("a", untriedCount: 3)
        #expect(due(&plan, .seconds(59)).isEmpty)
        let started = plan.startDue(now: .seconds(60), strangersAcceptedCount: 0) { _ in false }
        #expect(started.map(\.addresses) == [Array(addresses[1..<5])])
        plan.ended("a", lasted: nil, now: .seconds(60), jitter: 0.5)
        #expect(due(&plan, .milliseconds(60_499)).isEmpty)
        #expect(due(&plan, .milliseconds(60_500)) == ["a"])
    }

    @Test func `a target that changed while it was dialled can be postponed`() {
        var plan = DialPlan()
        plan.set(target("a"), now: .zero)
        #expect(due(&plan, .zero) == ["a"])
        var moved = target("a")
        moved.addresses = [LinkAddress(host: "192.0.2.2", port: 1)]
        plan.set(moved, now: .zero)
        plan.postpone("a", untriedCount: 1)
        plan.postpone("gone", untriedCount: 1)
        #expect(due(&plan, .zero) == ["a"])
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
