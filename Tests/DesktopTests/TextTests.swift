import Foundation
import GtkKit
import PanelKit
import Testing

@testable import Desktop

struct TextTests {
    @Test func `a countdown runs with the clock and stops at zero`() {
        let countdown = Countdown(timeLeft: .seconds(52), measuredAt: .seconds(100))
        #expect(countdown.left(at: .seconds(100)) == .seconds(52))
        #expect(countdown.left(at: .seconds(151)) == .seconds(1))
        #expect(countdown.left(at: .seconds(152)) == .seconds(0))
        #expect(countdown.left(at: .seconds(999)) == .seconds(0))
        #expect(countdown.text(at: .milliseconds(150_500)) == "2 s left")
        #expect(countdown.text(at: .seconds(152)) == "time is up")
    }

    @Test func `a clock that goes back never increases the seconds left`() {
        let countdown = Countdown(timeLeft: .seconds(52), measuredAt: .seconds(100))
        #expect(countdown.left(at: .seconds(40)) == .seconds(52))
    }

    @Test func `a countdown from an absurd number does not trap`() {
        let countdown = Countdown(timeLeft: .seconds(Int64.min), measuredAt: .zero)
        #expect(countdown.left(at: .seconds(5)) == .zero)
    }

    @Test func `waits double up to the longest and start again`() {
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
