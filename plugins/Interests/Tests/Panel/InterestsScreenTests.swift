import Contract
import InterestsAPI
import PanelKit
import PanelTestSupport
import Testing

@testable import InterestsPanel

/// The page of interests at each moment.
struct InterestsScreenTests {
    private let mine: [Interest] = [.coffee, .tea, .walks, .cats, .films]

    private func screen(
        count: Int, _ match: InterestsStatus.Match? = nil, topicsCount: Int = 0
    ) -> InterestsScreen {
        let status = InterestsStatus(
            chosen: mine, secondsLeft: 600, lookingCount: count, match: match)
        return InterestsScreen(
            status, topicsCount: topicsCount,
            timeLeft: Countdown(timeLeft: .seconds(600), measuredAt: .zero), now: .seconds(1))
    }

    private func match(
        _ common: [Interest] = [.coffee, .tea, .walks], name: String? = "Ben",
        distanceMetres: Double? = nil
    ) -> InterestsStatus.Match {
        InterestsStatus.Match(
            name: name, common: common, sinceMs: .min, distanceMetres: distanceMetres)
    }

    @Test func `before the first answer, and while I do not look, nobody is shown`() {
        for status in [nil, InterestsStatus(chosen: mine)] {
            let screen = InterestsScreen(status)
            #expect(!screen.isLooking && screen.people == nil && screen.match == nil)
            #expect(screen.lookTitle == "Look for people for 10 min")
        }
        #expect(InterestsScreen(InterestsStatus(chosen: mine)).mine.hasPrefix("coffee, tea"))
    }

    @Test func `while I look, the time runs down and the people are counted`() {
        #expect(screen(count: 0).lookTitle == "Look for people for 10 min · 9:59")
        #expect(screen(count: 0).people == "Nobody else is looking here yet")
        #expect(screen(count: 0).hint == nil)
        #expect(screen(count: 1).people == "1 person is looking here")
        #expect(screen(count: 1200).people == "1,200 people are looking here")
        #expect(screen(count: 1).hint == "Nobody shares 3 of your interests yet.")
        #expect(screen(count: 1, match()).hint == nil)
    }

    @Test func `a match has a name, the common interests and one topic after the other`() throws {
        let topics = Interest.openers(for: [.coffee, .tea, .walks]).map(\.english)
        for (count, topic) in (topics + topics).enumerated() {
            let shown = try #require(screen(count: 1, match(), topicsCount: count).match)
            #expect(shown.title == "Ben" && shown.topic == topic && shown.hasFurtherTopics)
            #expect(shown.common == "3 interests in common: coffee, tea, walks")
            #expect(shown.distance == nil && shown.beat == nil)
        }
        #expect(screen(count: 1, match(name: nil)).match?.title == "Someone nearby")
        var mate = match()
        #expect(screen(count: 1, mate).match?.canMeet == true)
        mate.mate = true
        #expect(screen(count: 1, mate).match?.canMeet == false)
    }

    @Test(
        arguments: [
            (0, "0.0 m away", 1), (4.5, "4.5 m away", 0.5), (9, "9.0 m away", 0),
            (9.96, "10 m away", 0), (1234, "1234 m away", 0),
        ] as [(Double, String, Double)])
    func `a known distance is shown with its pulse`(
        metres: Double, text: String, strength: Double
    ) throws {
        let shown = try #require(screen(count: 1, match(distanceMetres: metres)).match)
        #expect(shown.distance == text)
        #expect(shown.beat?.strength == strength && shown.beat?.rate == 1.6)
    }

    @Test func `a beat begins and ends at rest, and is widest at a quarter of its time`() throws {
        let pulse = Pulse(commonCount: 5, distanceMetres: 4.5)
        let beat = try #require(PulseBeat(pulse))
        #expect(beat.text == "2.0 beats per second, 50% strong")
        #expect(beat.share(at: .zero) == 0.5)
        #expect(beat.share(at: .milliseconds(125)) == 0.75 && beat.stillShare == 0.75)
        #expect(beat.share(at: .milliseconds(500)) == 0.5)
        let shares = (0...1000).map { beat.share(at: .milliseconds($0 * 7)) }
        #expect(shares.allSatisfy { (0.5...0.75).contains($0) })
        #expect(PulseBeat(Pulse(commonCount: 5, distanceMetres: nil)) == nil)
        let far = try #require(PulseBeat(Pulse(commonCount: 5, distanceMetres: 9)))
        #expect(far.share(at: .milliseconds(125)) == 0.5)
    }
}
