import Testing

@testable import Node

/// The notices of storage limits, which a peer that fills, erases and refills cannot repeat.
struct ReachedLimitsTests {
    private let day = ReachedLimits.repeatMin

    @Test func `a limit is told at most once a day`() {
        var limits = ReachedLimits()
        let told = [.zero, day - .seconds(1), day, day * 2 - .seconds(1), day * 2].map {
            limits.permitNotice(about: "a", now: $0)
        }
        #expect(told == [true, false, true, false, true])
    }

    @Test func `a notice of one limit does not delay that of another`() {
        var limits = ReachedLimits()
        let told = ["a", "b", "a", "b"].map { limits.permitNotice(about: $0, now: .zero) }
        #expect(told == [true, true, false, false])
    }

    @Test func `a tenth of a limit is clear room, and one byte less is not`() {
        #expect(900.hasClearRoom(under: 1000))
        #expect(!901.hasClearRoom(under: 1000))
    }
}
