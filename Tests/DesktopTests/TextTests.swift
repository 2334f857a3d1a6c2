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

    @Test(arguments: [(600, "10:00"), (599, "9:59"), (60, "1:00"), (9, "0:09"), (0, "0:00")])
    func `a long countdown is shown in minutes and seconds`(seconds: Int, text: String) {
        let countdown = Countdown(timeLeft: .seconds(seconds), measuredAt: .zero)
        #expect(countdown.clockText(at: .zero) == text)
    }

    @Test(
        arguments: [
            (-1, "0 m"), (94.6, "95 m"), (466.7, "470 m"), (994.9, "990 m"), (995, "1 km"),
            (2_049, "2 km"), (2_050, "2.1 km"), (9_949, "9.9 km"), (9_950, "10 km"),
            (186_670, "187 km"), (.infinity, "1000000 km"),
        ] as [(Double, String)])
    func `a radius is a round number`(metres: Double, text: String) {
        #expect(ShownDistance.radius(metres: metres) == text)
    }

    @Test func `a countdown is in seconds at its end, and in larger units before`() {
        let countdown = Countdown(timeLeft: .seconds(9000), measuredAt: .zero)
        #expect(countdown.text(at: .zero) == "2 h 30 min left")
        #expect(countdown.text(at: .seconds(5400)) == "1 h left")
        #expect(countdown.text(at: .seconds(8940)) == "60 s left")
        #expect(countdown.text(at: .seconds(5401)) == "59:59 left")
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

    @Test func `the digits behind a name are no part of its initials`() {
        #expect(Avatar.ownName(in: "Mina · 3f09ab") == "Mina")
        #expect(Avatar.ownName(in: "Mina Kim · 3f09ab") == "Mina Kim")
        for whole in ["", "Mina", "Mina · Ann", "Mina · 3f09a", "Mina 3f09ab", "Mina · friend"] {
            #expect(Avatar.ownName(in: whole) == whole)
        }
    }

    @Test func `the colour of an avatar comes from the key, and is the same everywhere`() {
        #expect(Avatar.colour(of: "a1b2") == 5)
        #expect(Set((0..<200).map { Avatar.colour(of: "key \($0)") }).count == 14)
    }
}
