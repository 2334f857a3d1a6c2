import FeaturesAPI
import Testing

@testable import Features

@Suite struct WalkFactsTests {
    private static let created: Int64 = 1_900_000_000_000
    private func received() -> WalkFacts {
        WalkFacts(direction: .received, createdMs: Self.created)
    }
    private func sent() -> WalkFacts { WalkFacts(direction: .sent, createdMs: Self.created) }

    @Test func `a request 59 s old has 1 s left and can be answered`() {
        let now = Self.created + 59_000
        #expect(received().leftMs(nowMs: now) == 1000)
        #expect(received().state(nowMs: now) == .pending)
    }

    @Test func `a request 60 s old has run out`() {
        let now = Self.created + 60_000
        #expect(received().leftMs(nowMs: now) == 0)
        #expect(received().state(nowMs: now) == .expired)
    }

    @Test func `a request made 5 s in the future has 60 s left`() {
        #expect(received().leftMs(nowMs: Self.created - 5000) == 60_000)
        #expect(received().ageMs(nowMs: Self.created - 5000) == 0)
    }

    @Test func `an answer of an age under 60 s counts even if it arrives late`() {
        var facts = sent()
        facts.answer = .accepted
        facts.answerAgeMs = 59_999
        #expect(facts.state(nowMs: Self.created + 3_600_000) == .accepted)
        facts.answerAgeMs = 60_000
        #expect(facts.state(nowMs: Self.created + 3_600_000) == .notAnswered)
    }

    @Test func `an answer without its age does not count`() {
        var facts = received()
        facts.answer = .accepted
        #expect(facts.state(nowMs: Self.created) == .pending)
    }

    @Test(arguments: [WalkRequest.Direction.sent, .received])
    func `cancel beats accept on both sides`(_ direction: WalkRequest.Direction) {
        var facts = WalkFacts(direction: direction, createdMs: Self.created)
        facts.answer = .accepted
        facts.answerAgeMs = 1
        facts.isCancelled = true
        #expect(facts.state(nowMs: Self.created + 10) == .cancelled)
    }

    @Test func `the sender sees queued, delivered, and the reason for no answer`() {
        var facts = sent()
        #expect(facts.state(nowMs: Self.created) == .queued)
        #expect(facts.state(nowMs: Self.created + 60_000) == .notAnswered)
        facts.isDelivered = true
        #expect(facts.state(nowMs: Self.created) == .delivered)
        #expect(facts.state(nowMs: Self.created + 60_000) == .expired)
        facts.wasMissed = true
        #expect(facts.state(nowMs: Self.created + 60_000) == .notAnswered)
    }

    @Test func `a request that arrives too late is missed`() {
        var facts = received()
        facts.wasMissed = true
        #expect(facts.state(nowMs: Self.created + 90_000) == .missed)
    }

    @Test func `a request with a time stays open until that time`() {
        var facts = received()
        facts.atMs = Self.created + 3_600_000
        #expect(facts.state(nowMs: Self.created + 3_599_999) == .pending)
        #expect(facts.state(nowMs: Self.created + 3_600_000) == .expired)
        #expect(facts.leftMs(nowMs: Self.created + 3_000_000) == 600_000)
        facts.answer = .declined
        facts.answerAgeMs = 3_599_999
        #expect(facts.state(nowMs: Self.created + 9_000_000) == .declined)
        facts.answerAgeMs = 3_600_000
        #expect(facts.state(nowMs: Self.created + 9_000_000) == .expired)
    }

    @Test func `times at the limits of a record do not trap`() {
        for created in [RecordTimes.milliseconds.lowerBound, RecordTimes.milliseconds.upperBound] {
            var facts = WalkFacts(direction: .received, createdMs: created)
            facts.answer = .accepted
            facts.answerAgeMs = RecordTimes.milliseconds.upperBound
            for now in [RecordTimes.milliseconds.lowerBound, RecordTimes.milliseconds.upperBound] {
                #expect(facts.leftMs(nowMs: now) <= 60_000)
                #expect(facts.state(nowMs: now) != .accepted)
            }
        }
    }
}
