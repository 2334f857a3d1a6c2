import Contract
import Testing

struct AgeTextTests {
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    @Test(
        arguments: [
            (-5, "just now"), (9, "just now"), (10, "10 s ago"), (59, "50 s ago"),
            (60, "1 min ago"), (3599, "59 min ago"), (3600, "1 h ago"), (86_399, "23 h ago"),
            (86_400, "1 day ago"), (172_799, "1 day ago"), (172_800, "2 days ago"),
        ] as [(Int64, String)])
    func `an age is in its largest unit and does not change every second`(
        seconds: Int64, text: String
    ) {
        #expect(AgeText.ago(.seconds(seconds)).english == text)
        let moment = now - .seconds(seconds)
        #expect(AgeText.ago(since: moment, now: now).english == text)
        #expect(AgeText.distance(to: moment, now: now).english == text)
    }

    @Test(
        arguments: [
            (9, "just now"), (10, "in 10 s"), (119, "in 119 s"), (120, "in 2 min"),
            (7199, "in 119 min"), (7200, "in 2 h"), (172_799, "in 47 h"), (172_800, "in 2 days"),
        ] as [(Int64, String)])
    func `a future moment is described by the time until it`(seconds: Int64, text: String) {
        let moment = now + .seconds(seconds)
        #expect(AgeText.distance(to: moment, now: now).english == text)
        #expect(AgeText.ago(since: moment, now: now).english == "just now")
    }

    @Test func `the two moments that are furthest apart have an age`() {
        let (first, last) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))
        #expect(AgeText.ago(since: first, now: last).english.hasSuffix(" days ago"))
        #expect(AgeText.distance(to: last, now: first).english.hasPrefix("in "))
    }

    @Test func `a span of time is written in two units`() {
        let texts = [-5, 59_999, 60_000, 3_600_000, 5_400_000, 86_400_000, 180_000_000].map {
            AgeText.spanInTwoUnits(.milliseconds($0)).english
        }
        #expect(
            texts == [
                "a moment", "a moment", "1 min", "1 h", "1 h 30 min", "1 day", "2 days 2 h",
            ])
    }
}
