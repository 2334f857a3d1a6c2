import Testing

@testable import Node

/// The time since another person was last in sight.
struct SolitudeTests {
    /// Records an empty neighbourhood at the given times, in milliseconds, and returns those at
    /// which followers are told.
    private func told(
        _ solitude: inout Solitude, at times: [Int], isAnybodyNear: Bool = false
    ) -> [Int] {
        times.filter { solitude.look(isAnybodyNear: isAnybodyNear, now: .milliseconds($0)) }
    }

    @Test func `after ten seconds alone followers are told once to ask for the reason`() {
        var solitude = Solitude(since: .seconds(1))
        let times = told(&solitude, at: [10_999, 11_000, 12_000])
        #expect(times == [11_000])
        #expect(!solitude.isLong(now: .milliseconds(10_999)))
        #expect(solitude.isLong(now: .seconds(11)))
    }

    @Test func `a person in sight restarts the ten seconds`() {
        var solitude = Solitude(since: .zero)
        for seen in [9000, 41_000] {
            let meanwhile = told(&solitude, at: [seen], isAnybodyNear: true)
            #expect(meanwhile.isEmpty)
            #expect(!solitude.isLong(now: .milliseconds(seen + 15_000)))
            let alone = seen + 20_000
            let times = told(&solitude, at: [alone, alone + 9999, alone + 10_000, alone + 11_000])
            #expect(times == [alone + 10_000])
        }
    }
}
