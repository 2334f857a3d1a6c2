import FeaturesAPI
import PluginKit
import Testing

@testable import Features

@Suite struct WalkFactsTests {
    private static let created = Timestamp(milliseconds: 1_900_000_000_000)
    private func received() -> WalkFacts {
        WalkFacts(direction: .received, created: Self.created)
    }
    private func sent() -> WalkFacts { WalkFacts(direction: .sent, created: Self.created) }

    @Test func `a request 59 s old has 1 s left and can be answered`() {
        let now = Self.created + .milliseconds(59_000)
        #expect(received().left(now: now) == .milliseconds(1000))
        #expect(received().state(now: now) == .pending)
    }

    @Test func `a request 60 s old has run out`() {
        let now = Self.created + .milliseconds(60_000)
        #expect(received().left(now: now) == .zero)
        #expect(received().state(now: now) == .expired)
    }

    @Test func `a request made 5 s in the future has 60 s left`() {
        #expect(received().left(now: Self.created - .milliseconds(5000)) == .milliseconds(60_000))
        #expect(received().age(now: Self.created - .milliseconds(5000)) == .zero)
    }

    @Test func `an answer of an age under 60 s counts even if it arrives late`() {
        var facts = sent()
        facts.answer = .accepted
        facts.answerAge = .milliseconds(59_999)
        #expect(facts.state(now: Self.created + .milliseconds(3_600_000)) == .accepted)
        facts.answerAge = .milliseconds(60_000)
        #expect(facts.state(now: Self.created + .milliseconds(3_600_000)) == .notAnswered)
    }

    @Test func `an answer without its age does not count`() {
        var facts = received()
        facts.answer = .accepted
        #expect(facts.state(now: Self.created) == .pending)
    }

    @Test(arguments: [WalkRequest.Direction.sent, .received])
    func `cancel beats accept on both sides`(_ direction: WalkRequest.Direction) {
        var facts = WalkFacts(direction: direction, created: Self.created)
        facts.answer = .accepted
        facts.answerAge = .milliseconds(1)
        facts.isCancelled = true
        #expect(facts.state(now: Self.created + .milliseconds(10)) == .cancelled)
    }

    @Test func `the sender sees queued, delivered, and the reason for no answer`() {
        var facts = sent()
        #expect(facts.state(now: Self.created) == .queued)
        #expect(facts.state(now: Self.created + .milliseconds(60_000)) == .notAnswered)
        facts.isDelivered = true
        #expect(facts.state(now: Self.created) == .delivered)
        #expect(facts.state(now: Self.created + .milliseconds(60_000)) == .expired)
        facts.wasMissed = true
        #expect(facts.state(now: Self.created + .milliseconds(60_000)) == .notAnswered)
    }

    @Test func `a request that arrives too late is missed`() {
        var facts = received()
        facts.wasMissed = true
        #expect(facts.state(now: Self.created + .milliseconds(90_000)) == .missed)
    }

    @Test func `a request with a time stays open until that time`() {
        var facts = received()
        facts.at = Self.created + .milliseconds(3_600_000)
        #expect(facts.state(now: Self.created + .milliseconds(3_599_999)) == .pending)
        #expect(facts.state(now: Self.created + .milliseconds(3_600_000)) == .expired)
        #expect(facts.left(now: Self.created + .milliseconds(3_000_000)) == .milliseconds(600_000))
        facts.answer = .declined
        facts.answerAge = .milliseconds(3_599_999)
        #expect(facts.state(now: Self.created + .milliseconds(9_000_000)) == .declined)
        facts.answerAge = .milliseconds(3_600_000)
        #expect(facts.state(now: Self.created + .milliseconds(9_000_000)) == .expired)
    }

    @Test func `times at the limits of a record do not trap`() {
        for created in [Timestamp.min, .max] {
            var facts = WalkFacts(direction: .received, created: created)
            facts.answer = .accepted
            facts.answerAge = .milliseconds(RecordTimes.milliseconds.upperBound)
            for now in [Timestamp.min, .max] {
                #expect(facts.left(now: now) <= .seconds(60))
                #expect(facts.state(now: now) != .accepted)
            }
        }
    }
}
