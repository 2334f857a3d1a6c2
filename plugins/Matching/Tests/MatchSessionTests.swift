import PluginKit
import Records
import Testing

@testable import Matching

/// The rules of a session that time and memory decide.
@Suite struct MatchSessionTests {
    private let people = MatchWorld.people

    private func id(_ number: UInt8, of index: Int) -> MatchID {
        MatchID(
            madeBy: people[index].device,
            nonce: Bytes16([UInt8](repeating: number, count: 16)) ?? .zero)
    }

    /// A side that looks and has no facts.
    private func looking() throws -> MatchSession {
        var session = MatchSession(me: people[0])
        _ = session.read(MatchFacts(), now: .zero)
        _ = try session.look()
        return session
    }

    /// A side that looks and has accepted the request of the second person at time 0.
    private func accepted() throws -> (MatchSession, MatchID) {
        var session = try looking()
        _ = session.receive(
            .request(id(1, of: 1), name: nil), from: people[1].person, now: .zero)
        _ = try session.press(people[1].person, id: id(2, of: 0), now: .zero)
        return (session, id(2, of: 0))
    }

    @Test func `an acceptance can be confirmed just before 60 s, and lapses at exactly 60 s`()
        throws
    {
        var (session, match) = try accepted()
        #expect(session.tick(now: .seconds(60) - .nanoseconds(1)).contains(.changed) == false)
        var late = session
        let stored = session.receive(
            .confirm(match), from: people[1].person, now: .seconds(60) - .nanoseconds(1))
        #expect(stored.contains(.store(people[1].person, match)))
        let lapsed = late.receive(.confirm(match), from: people[1].person, now: .seconds(60))
        #expect(lapsed.contains(.send(.over(match, .lapsed), to: people[1].person)))
        #expect(!lapsed.contains(.store(people[1].person, match)) && late.commitment == nil)
        var (ticked, _) = try accepted()
        _ = ticked.tick(now: .seconds(60))
        #expect(ticked.commitment == nil)
    }

    @Test func `a confirmation ends after two minutes without the other fact, and the next begins`()
        throws
    {
        var session = try looking()
        let (ben, cleo) = (people[1].person, people[2].person)
        _ = try session.press(ben, id: id(1, of: 0), now: .zero)
        _ = try session.press(cleo, id: id(2, of: 0), now: .zero)
        let (first, second) = (id(5, of: 1), id(6, of: 2))
        _ = session.receive(.accept(request: id(1, of: 0), match: first), from: ben, now: .zero)
        // A read of the same fact does not make it last longer.
        let held = HeldMatch(person: ben, id: first, stands: false, order: 1)
        _ = session.read(MatchFacts(held: [held]), now: .seconds(50))
        _ = session.receive(
            .accept(request: id(2, of: 0), match: second), from: cleo, now: .seconds(110))
        _ = session.tick(now: .seconds(120) - .nanoseconds(1))
        #expect(session.held == held)
        let lapsed = session.tick(now: .seconds(120))
        #expect(lapsed.contains(.end(ben, first, isCancel: false, isKnown: false)))
        #expect(lapsed.contains(.send(.over(first, .ended), to: ben)))
        #expect(lapsed.contains(.store(cleo, second)) && session.held?.id == second)
        // The late answer changes nothing.
        let late = session.receive(.confirm(first), from: ben, now: .seconds(121))
        #expect(late == [.send(.over(first, .ended), to: ben)] && session.held?.id == second)
    }

    @Test func `a match that stands does not end with time`() {
        var session = MatchSession(me: people[0])
        let fact = HeldMatch(person: people[1].person, id: id(5, of: 1), stands: false, order: 1)
        _ = session.read(MatchFacts(held: [fact]), now: .zero)
        #expect(session.confirmationEnd == .seconds(120))
        let both = HeldMatch(person: fact.person, id: fact.id, stands: true, order: 1)
        _ = session.read(MatchFacts(held: [both]), now: .seconds(119))
        _ = session.tick(now: .seconds(100_000))
        #expect(session.held == both && session.confirmationEnd == nil)
    }

    @Test func `while one confirms, others are refused with the reason, and Stop takes it back`()
        throws
    {
        var (session, _) = try accepted()
        let (ben, cleo) = (people[1].person, people[2].person)
        _ = session.receive(.request(id(3, of: 2), name: nil), from: cleo, now: .zero)
        #expect(throws: MatchRefusal.committed) {
            try session.press(cleo, id: id(4, of: 0), now: .zero)
        }
        let match = id(5, of: 1)
        let fact = HeldMatch(person: ben, id: match, stands: false, order: 1)
        _ = session.read(MatchFacts(held: [fact]), now: .zero)
        #expect(throws: MatchRefusal.confirming) {
            try session.press(cleo, id: id(4, of: 0), now: .zero)
        }
        let stopped = session.stop()
        #expect(stopped.contains(.end(ben, match, isCancel: false, isKnown: false)))
        #expect(stopped.contains(.send(.over(match, .ended), to: ben)))
        #expect(session.commitment == nil && !session.isSeeking)
    }

    @Test func `an end that was not told needs no tick before its person is linked`() {
        var session = MatchSession(me: people[0])
        let ben = people[1].person
        _ = session.read(MatchFacts(untold: [id(5, of: 1): ben]), now: .zero)
        #expect(session.isQuiet(linked: []) && session.isQuiet(linked: [people[2].person]))
        #expect(!session.isQuiet(linked: [ben, people[2].person]))
        #expect(session.linked(ben) == [.send(.over(id(5, of: 1), .ended), to: ben)])
    }

    @Test func `a request is forgotten 20 s after it was heard last`() throws {
        var session = try looking()
        let request = MatchMessage.request(id(1, of: 1), name: nil)
        _ = session.receive(request, from: people[1].person, now: .zero)
        _ = session.receive(request, from: people[1].person, now: .seconds(10))
        _ = session.tick(now: .seconds(30) - .nanoseconds(1))
        #expect(session.asked.count == 1)
        _ = session.tick(now: .seconds(30))
        #expect(session.asked.isEmpty)
    }

    @Test func `one acceptance is confirmed at a time, and the next when the first is over`()
        throws
    {
        var session = try looking()
        _ = try session.press(people[1].person, id: id(1, of: 0), now: .zero)
        _ = try session.press(people[2].person, id: id(2, of: 0), now: .zero)
        let (first, second) = (id(5, of: 1), id(6, of: 2))
        _ = session.receive(
            .accept(request: id(1, of: 0), match: first), from: people[1].person, now: .zero)
        let waits = session.receive(
            .accept(request: id(2, of: 0), match: second), from: people[2].person, now: .zero)
        #expect(!waits.contains(.store(people[2].person, second)))
        #expect(session.held?.id == first)
        let next = session.receive(
            .over(first, .lapsed), from: people[1].person, now: .seconds(1))
        #expect(next.contains(.end(people[1].person, first, isCancel: false, isKnown: true)))
        #expect(next.contains(.store(people[2].person, second)))
    }

    @Test func `a match that stands refuses everyone, also a fact with an earlier time`() throws {
        var session = MatchSession(me: people[0])
        let held = HeldMatch(
            person: people[1].person, id: id(5, of: 1), stands: true, order: 100)
        _ = session.read(MatchFacts(held: [held]), now: .zero)
        #expect(session.isMatched)
        let request = session.receive(
            .request(id(7, of: 2), name: nil), from: people[2].person, now: .zero)
        #expect(request == [.send(.over(id(7, of: 2), .matched), to: people[2].person)])
        let accept = session.receive(
            .accept(request: id(8, of: 0), match: id(9, of: 2)), from: people[2].person, now: .zero)
        #expect(accept == [.send(.over(id(9, of: 2), .matched), to: people[2].person)])
        let confirm = session.receive(
            .confirm(id(9, of: 2)), from: people[2].person, now: .zero)
        #expect(confirm.isEmpty && session.held == held)
    }

    @Test func `of two matches that two devices made, the one of the earlier fact is kept`() {
        let early = HeldMatch(person: people[2].person, id: id(9, of: 2), stands: true, order: 1)
        let late = HeldMatch(person: people[1].person, id: id(5, of: 1), stands: true, order: 2)
        for first in [early, late] {
            var session = MatchSession(me: people[0])
            _ = session.read(MatchFacts(held: [first]), now: .zero)
            let effects = session.read(MatchFacts(held: [late, early]), now: .zero)
            #expect(session.held == early)
            #expect(
                effects.contains(
                    .end(people[1].person, late.id, isCancel: false, isKnown: false)))
        }
    }

    @Test func `nothing is answered before the facts are read`() {
        var session = MatchSession(me: people[0])
        let match = id(5, of: 0)
        #expect(
            session.receive(.confirm(match), from: people[1].person, now: .zero).isEmpty)
        _ = session.read(MatchFacts(), now: .zero)
        #expect(
            session.receive(.confirm(match), from: people[1].person, now: .zero)
                == [.send(.over(match, .known), to: people[1].person)])
    }

    @Test func `a late message about a request does not end the match that has its id`() {
        for reason in [MatchEnd.declined, .matched, .notSeeking, .withdrawn, .lapsed, .failed] {
            for (stands, maker) in [(true, 0), (true, 1), (false, 0), (false, 1)] {
                var session = MatchSession(me: people[0])
                let held = HeldMatch(
                    person: people[1].person, id: id(5, of: maker), stands: stands, order: 1)
                _ = session.read(MatchFacts(held: [held]), now: .zero)
                _ = session.receive(.over(held.id, reason), from: people[1].person, now: .zero)
                #expect((session.held == held) == (stands || maker == 0), "\(reason)")
            }
        }
        for reason in [MatchEnd.ended, .known] {
            var session = MatchSession(me: people[0])
            let held = HeldMatch(
                person: people[1].person, id: id(5, of: 0), stands: true, order: 1)
            _ = session.read(MatchFacts(held: [held]), now: .zero)
            _ = session.receive(.over(held.id, reason), from: people[1].person, now: .zero)
            #expect(session.held == nil, "\(reason)")
        }
    }

    @Test func `the newest answers are remembered, until this person looks again`() throws {
        var session = try looking()
        for number: UInt8 in 0..<40 {
            // The last people have the smallest keys.
            let person = PersonID(
                raw: Bytes32([UInt8](repeating: 200 - number, count: 32)) ?? .zero)
            let request = id(number, of: 0)
            _ = try session.press(person, id: request, now: .zero)
            _ = session.receive(.over(request, .declined), from: person, now: .zero)
            #expect(session.answers[person] == .declined)
        }
        #expect(session.answers.count == MatchLimits.rememberedMax)
        _ = session.stop()
        _ = try session.look()
        #expect(session.answers.isEmpty)
    }

    @Test func `what one side remembers is bounded`() throws {
        var session = try looking()
        for number in 0..<200 {
            var bytes = [UInt8](repeating: 0, count: 32)
            bytes[0] = UInt8(number)
            let person = PersonID(raw: Bytes32(bytes) ?? .zero)
            _ = session.receive(
                .request(id(UInt8(number), of: 1), name: nil), from: person, now: .zero)
            if number < 9 {
                if number < MatchLimits.requestsMax {
                    _ = session.decline(person)
                    _ = try session.press(person, id: id(UInt8(number), of: 0), now: .zero)
                } else {
                    _ = session.decline(person)
                    #expect(throws: MatchRefusal.tooMany) {
                        try session.press(person, id: id(UInt8(number), of: 0), now: .zero)
                    }
                }
            }
        }
        #expect(session.asked.count == MatchLimits.askedMax)
        #expect(session.requests.count == MatchLimits.requestsMax)
    }
}
