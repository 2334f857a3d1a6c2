import Foundation
import GtkKit
import Testing

@testable import Desktop

struct TextTests {
    @Test(
        arguments: [
            (-5, "just now"), (9, "just now"), (10, "10 s ago"), (59, "50 s ago"),
            (60, "1 min ago"),
            (3599, "59 min ago"), (3600, "1 h ago"), (86_399, "23 h ago"), (86_400, "1 day ago"),
            (172_799, "1 day ago"), (172_800, "2 days ago"),
        ] as [(Int64, String)])
    func `an age is spelled in its own unit`(seconds: Int64, text: String) {
        #expect(AgeText.spell(seconds: seconds) == text)
    }

    @Test func `an age that overflows is no trap`() {
        #expect(AgeText.spell(sinceMs: .min, nowMs: .max) == "just now")
    }

    @Test func `a countdown runs with the clock and stops at nothing`() {
        let countdown = Countdown(secondsLeft: 52, takenAt: .seconds(100))
        #expect(countdown.left(at: .seconds(100)) == 52)
        #expect(countdown.left(at: .seconds(151)) == 1)
        #expect(countdown.left(at: .seconds(152)) == 0)
        #expect(countdown.left(at: .seconds(999)) == 0)
        #expect(countdown.text(at: .seconds(152)) == "time is up")
    }

    @Test func `a clock that goes back gives no more than was said`() {
        let countdown = Countdown(secondsLeft: 52, takenAt: .seconds(100))
        #expect(countdown.left(at: .seconds(40)) == 52)
    }

    @Test func `a countdown of nonsense is no trap`() {
        #expect(Countdown(secondsLeft: .min, takenAt: .zero).left(at: .seconds(5)) == 0)
    }

    @Test func `waits double up to the longest and begin again`() {
        var backOff = BackOff()
        let waits = (0..<8).map { _ in backOff.next() }
        #expect(waits.prefix(3) == [.milliseconds(250), .milliseconds(500), .seconds(1)])
        #expect(waits.last == BackOff.longest)
        backOff.reset()
        #expect(backOff.next() == BackOff.first)
    }

    @Test func `an avatar mirrors left and right and is the same for the same key`() {
        let pattern = AvatarPattern(key: "a1b2")
        #expect(pattern == AvatarPattern(key: "a1b2"))
        #expect(pattern != AvatarPattern(key: "a1b3"))
        #expect(pattern.cells.allSatisfy { $0 == $0.reversed() })
    }
}
