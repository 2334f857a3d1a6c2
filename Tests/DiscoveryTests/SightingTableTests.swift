@testable import Discovery
import Records
import Testing

struct SightingTableTests {
    private var table = SightingTable(ownTag: .sample(0))
    private let key = ServiceKey.sample("a")

    @Test mutating func `a found announcement is resolved and then reported`() {
        #expect(table.found(key) == [.ask(key)])
        #expect(table.sighting(of: "a") == nil)
        #expect(table.answered(key, .sample(1), now: .zero) == [.changed(instance: "a")])
        let sighting = table.sighting(of: "a")
        #expect(sighting?.announcement == .sample(1))
        #expect(sighting?.endpoints.map(\.description) == ["10.0.0.7:4711"])
    }

    @Test mutating func `an announcement found twice is resolved once`() {
        _ = table.found(key)
        #expect(table.found(key) == [])
    }

    @Test mutating func `the addresses of all interfaces are combined`() {
        let other = ServiceKey.sample("a", interface: "wlan0", index: 3, overIPv6: true)
        _ = table.found(key) + table.found(other)
        _ = table.answered(key, .sample(1), now: .zero)
        _ = table.answered(other, .sample(1, address: "fe80::9"), now: .zero)
        let hosts = table.sighting(of: "a")?.endpoints.map(\.host)
        #expect(hosts == ["10.0.0.7", "fe80::9%wlan0"])
        #expect(table.lost(key) == [.stopAsking(key), .changed(instance: "a")])
        #expect(table.sighting(of: "a")?.endpoints.map(\.host) == ["fe80::9%wlan0"])
        _ = table.lost(other)
        #expect(table.sighting(of: "a") == nil)
        #expect(table.count == 0)
        #expect(table.openQuestionsCount == 0)
    }

    @Test mutating func `a later answer to the same question changes the sighting`() {
        _ = table.found(key)
        _ = table.answered(key, .sample(1), now: .zero)
        let effects = table.answered(key, .sample(1, dropOpen: true), now: .zero)
        #expect(effects == [.changed(instance: "a")])
        #expect(table.sighting(of: "a")?.announcement?.fields["f"] == Array("d".utf8))
    }

    @Test mutating func `an announcement with our tag is not reported`() {
        _ = table.found(key)
        _ = table.answered(key, .sample(0), now: .zero)
        #expect(table.sighting(of: "a") == nil)
    }

    @Test(arguments: ["224.0.0.1", "127.0.0.1", "::1", "0.0.0.0"])
    func `an address other than of a single host on the LAN is not accepted`(address: String) {
        var table = SightingTable(ownTag: nil)
        _ = table.found(key)
        let effects = table.answered(key, .sample(1, address: address), now: .zero)
        #expect(effects.first == .stopAsking(key))
        #expect(table.sighting(of: "a") == nil)
    }

    @Test mutating func `a hostile text is not accepted and is asked for again later`() {
        _ = table.found(key)
        let bad = ServiceAnswer(
            address: ServiceAnswer.sample(1).address, port: 1, text: [[0xFF], [0x3D]])
        #expect(table.answered(key, bad, now: .zero).contains(.stopAsking(key)))
        #expect(table.tick(now: SightingTable.pauseFirst - .nanoseconds(1)) == [])
        #expect(table.tick(now: SightingTable.pauseFirst) == [.ask(key)])
    }

    @Test mutating func `the pause between questions grows up to its limit`() {
        _ = table.found(key)
        var now = Duration.zero
        var pauses: [Duration] = []
        for _ in 0..<9 {
            _ = table.unanswered(key, now: now)
            let began = now
            while table.tick(now: now).isEmpty { now += .seconds(5) }
            pauses.append(now - began)
        }
        #expect(pauses.first == SightingTable.pauseFirst)
        #expect(pauses.last == SightingTable.pauseMax)
        #expect(pauses == pauses.sorted())
    }

    @Test mutating func `an answer to a closed question is ignored`() {
        _ = table.found(key)
        _ = table.lost(key)
        #expect(table.answered(key, .sample(1), now: .zero) == [])
        #expect(table.unanswered(key, now: .zero) == [])
        #expect(table.lost(key) == [])
    }

    @Test mutating func `ten thousand false announcements are capped`() {
        for number in 0..<10_000 {
            let effects = table.found(.sample("false-\(number)"))
            #expect(effects.count <= 2)
        }
        #expect(table.count == DiscoveryLimits.sightingsMax)
        #expect(table.openQuestionsCount == DiscoveryLimits.openQuestionsMax)
    }

    @Test mutating func `one more than the limit displaces the oldest one without an answer`() {
        for number in 0..<DiscoveryLimits.sightingsMax {
            _ = table.found(.sample("n\(number)"))
        }
        _ = table.answered(.sample("n0"), .sample(1), now: .zero)
        #expect(table.count == DiscoveryLimits.sightingsMax)
        let effects = table.found(.sample("late"))
        #expect(effects.contains(.stopAsking(.sample("n1"))))
        #expect(table.count == DiscoveryLimits.sightingsMax)
        #expect(table.sighting(of: "n0") != nil)
    }

    @Test mutating func `an instance that answered is never displaced, and free room is filled`() {
        let limit = DiscoveryLimits.sightingsMax
        for number in 0..<limit { answer("n\(number)", number) }
        #expect(table.found(.sample("late")) == [])
        for number in 0..<limit / 4 - 1 {
            #expect(!table.lost(.sample("n\(number)")).contains(.browseAgain))
        }
        #expect(table.lost(.sample("n\(limit / 4 - 1)")).contains(.browseAgain))
        _ = table.found(.sample("late"))
        #expect(table.count == limit * 3 / 4 + 1)
    }

    /// Answers the questions about an instance, also if there are more than may be open at a time.
    private mutating func answer(_ name: String, _ number: Int) {
        let key = ServiceKey.sample(name)
        _ = table.found(key)
        // Beyond the limit of open questions, one must fail before the next is asked.
        _ = table.answered(key, .sample(UInt64(number + 1)), now: .zero)
        guard table.sighting(of: name) == nil, number >= DiscoveryLimits.openQuestionsMax else {
            return
        }
        _ = table.unanswered(.sample("n\(number - DiscoveryLimits.openQuestionsMax)"), now: .zero)
        _ = table.answered(key, .sample(UInt64(number + 1)), now: .zero)
    }

    @Test mutating func `an instance that came and went leaves nothing behind`() {
        for number in 0..<DiscoveryLimits.openQuestionsMax {
            _ = table.found(.sample("n\(number)"))
        }
        for _ in 0..<10_000 {
            _ = table.found(key)
            _ = table.lost(key)
        }
        #expect(table.count == DiscoveryLimits.openQuestionsMax)
        _ = table.found(key)
        #expect(table.lost(.sample("n0")).contains(.ask(key)))
    }

    @Test mutating func `as many addresses as the limit are kept of one announcement`() {
        for index in 0..<UInt32(DiscoveryLimits.addressesMax) {
            #expect(table.found(.sample("a", interface: "e\(index)", index: index)) != [])
        }
        #expect(table.found(.sample("a", interface: "e99", index: 99)) == [])
    }

    @Test mutating func `clearing reports all instances as gone and removes them`() {
        _ = table.found(key)
        _ = table.answered(key, .sample(1), now: .zero)
        #expect(table.clear() == [.changed(instance: "a")])
        #expect(table.sighting(of: "a") == nil)
        _ = table.found(key)
        _ = table.answered(key, .sample(0), now: .zero)
        #expect(table.sighting(of: "a") == nil)
    }
}
