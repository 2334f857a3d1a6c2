import PluginKit
import ProximityDropAPI
import Records
import TestSupport
import Testing

@testable import ProximityDrop

@Suite struct DropSessionTests {
    /// A pair in which both sides have pressed and see the other's card.
    private func deciding(seed: UInt64 = 1) throws -> Pair {
        var pair = Pair(seed: seed)
        try pair.press(0)
        try pair.press(1)
        pair.pass(seconds: 2)
        try #require(pair.phases == [.deciding, .deciding])
        return pair
    }

    @Test func `a press for an announced person waits for the link, then offers the drop`() throws {
        var pair = Pair(seed: 1)
        let other = pair.sides[1].me.device
        try pair.press(0, sighted: DropSession.Sighted(tag: .example, name: "Ben"))
        try pair.press(1, target: false)
        pair.pass(seconds: 3)
        #expect(pair.phases == [.finding, .finding])
        #expect(pair.sides[0].session.device == nil)
        let trouble = ConnectionTrouble(.silent, cause: "No answer.", fix: "Come closer.")
        pair.reach(0, .dialling(failure: trouble))
        #expect(pair.sides[0].session.sighted?.failure == trouble)
        pair.reach(0, .linked(other))
        pair.pass(seconds: 2)
        #expect(pair.phases == [.deciding, .deciding])
        #expect(pair.sides[0].session.sighted == nil)
    }

    @Test func `a person who is not linked in 30 s or has left fails the drop with the reason`()
        throws
    {
        let trouble = ConnectionTrouble(.silent, cause: "No answer.", fix: "Come closer.")
        var pair = Pair(seed: 1)
        try pair.press(0, sighted: DropSession.Sighted(tag: .example, name: nil))
        pair.reach(0, .dialling(failure: trouble))
        pair.pass(seconds: 30)
        #expect(pair.sides[0].session.failure == .notReached(trouble))
        #expect(DropFailure.notReached(trouble).sentence == "No answer. Come closer.")
        try pair.press(0, sighted: DropSession.Sighted(tag: .example, name: nil))
        pair.reach(0, .gone)
        #expect(pair.sides[0].session.failure == .left)
    }

    @Test func `simultaneous presses end in one drop with equal codes and both cards`() throws {
        let pair = try deciding()
        let (one, other) = (pair.sides[0].session, pair.sides[1].session)
        #expect(one.id != nil && one.id == other.id)
        #expect(one.checkCode?.count == 6 && one.checkCode == other.checkCode)
        #expect(one.meeting == other.meeting)
        #expect(one.theirCard == Pair.cards[1] && other.theirCard == Pair.cards[0])
        #expect(!pair.sides[0].isOpen && !pair.sides[1].isOpen)
    }

    @Test func `a session is quiet before a press and after a drop, and not in between`() throws {
        var pair = Pair(seed: 1)
        #expect(pair.sides.allSatisfy { $0.session.isQuiet(now: pair.now) })
        try pair.press(0)
        #expect(!pair.sides[0].session.isQuiet(now: pair.now))
        pair.pass(seconds: 1)
        // The other side has an invitation, which is valid while it is repeated.
        #expect(!pair.sides[1].session.isQuiet(now: pair.now))
        pair = try deciding()
        #expect(!pair.sides.contains { $0.session.isQuiet(now: pair.now) })
        try pair.accept(0)
        try pair.accept(1)
        pair.pass(seconds: 12)
        #expect(pair.areMates)
        #expect(pair.sides.allSatisfy { $0.session.isQuiet(now: pair.now) })
    }

    @Test func `two sides become mates only after both accept`() throws {
        var pair = try deciding()
        try pair.accept(0)
        pair.pass(seconds: 2)
        #expect(pair.phases == [.deciding, .deciding])
        #expect(pair.sides[0].session.myAnswer == .accept && !pair.areMates)
        try pair.accept(1)
        pair.pass(seconds: 2)
        #expect(pair.phases == [.mates, .mates] && pair.areMates)
    }

    @Test(arguments: [0, 1]) func `two sides are not mates if one declines`(_ index: Int) throws {
        var pair = try deciding()
        try pair.accept(1 - index)
        try pair.decline(index)
        pair.pass(seconds: 2)
        #expect(pair.phases == [.declined, .declined] && !pair.areMates)
        #expect(pair.sides.allSatisfy { $0.edge == nil })
    }

    @Test func `no answer counts as a refusal after 60 s, and not after 59 s`() throws {
        var pair = try deciding()
        let began = try #require(pair.sides[0].session.deadline) - DropPhase.decidingMax
        let passed = Int((pair.now - began).components.seconds)
        pair.pass(seconds: 59 - passed)
        #expect(pair.phases == [.deciding, .deciding])
        pair.pass(seconds: 2)
        #expect(pair.phases == [.declined, .declined])
    }

    @Test(arguments: [(true, DropFailure.unanswered), (false, .notFound)])
    func `a search fails after 30 s, not after 29 s, and says whether someone was chosen`(
        hasTarget: Bool, failure: DropFailure
    ) throws {
        var pair = Pair()
        pair.kill(1)
        try pair.press(0, target: hasTarget)
        pair.pass(seconds: 29)
        #expect(pair.phases[0] == .finding && pair.sides[0].isOpen)
        pair.pass(seconds: 1)
        #expect(pair.phases[0] == .failed && !pair.sides[0].isOpen)
        #expect(pair.sides[0].session.failure == failure)
    }

    @Test func `a drop fails if the cards are not exchanged in 30 s`() throws {
        var pair = Pair()
        try pair.press(0)
        try pair.press(1)
        pair.weather.lost = 100
        pair.deliver()
        // Both have the other's offer, and no later message arrives.
        #expect(pair.phases.contains(.exchanging))
        pair.pass(seconds: 30)
        #expect(pair.phases.allSatisfy { $0 == .failed })
    }

    @Test func `two sides that press with one candidate find each other`() throws {
        var pair = Pair()
        try pair.press(0, target: false)
        try pair.press(1, target: false)
        pair.pass(seconds: 3)
        #expect(pair.phases == [.deciding, .deciding])
    }

    @Test func `the person chooses among several candidates`() throws {
        var pair = Pair()
        try pair.press(0, target: false)
        let third = DeviceID(raw: Bytes32([UInt8](repeating: 3, count: 32)) ?? .zero)
        let other = pair.sides[1].me.device
        pair.now += .seconds(1)
        _ = pair.sides[0].session.tick(candidates: [third, other], now: pair.now)
        #expect(pair.sides[0].session.candidates == [third, other].sorted())
        #expect(pair.phases[0] == .finding)
        let effects = try pair.sides[0].session.choose(other, now: pair.now)
        #expect(effects.contains { if case .send(.offer, to: other) = $0 { true } else { false } })
        #expect(throws: CommandFault.self) {
            try pair.sides[0].session.choose(third, now: pair.now)
        }
    }

    @Test func `an invitation is shown, and accepting it is a press`() throws {
        var pair = Pair()
        try pair.press(0)
        pair.deliver()
        #expect(pair.sides[1].hasInvitation && pair.phases[1] == .idle)
        #expect(pair.sides[1].session.incoming(now: pair.now) == pair.sides[0].me)
        try pair.press(1)
        pair.pass(seconds: 2)
        #expect(pair.phases == [.deciding, .deciding] && !pair.sides[1].hasInvitation)
    }

    @Test func `no field of a profile is sent before the button is pressed`() throws {
        var pair = Pair()
        try pair.press(0)
        pair.pass(seconds: 5)
        #expect(pair.sent.allSatisfy { if case .offer = $0 { true } else { false } })
    }

    @Test func `an invitation can be declined, and the other side is told`() throws {
        var pair = Pair()
        try pair.press(0)
        pair.deliver()
        try pair.decline(1)
        #expect(!pair.sides[1].hasInvitation)
        pair.pass(seconds: 1)
        #expect(pair.phases[0] == .declined)
        #expect(pair.sides[1].session.incoming(now: pair.now) == nil)
    }

    @Test func `an invitation that is no longer repeated expires`() throws {
        var pair = Pair()
        try pair.press(0)
        pair.deliver()
        pair.kill(0)
        pair.pass(seconds: 3)
        #expect(pair.sides[1].hasInvitation)
        pair.pass(seconds: 1)
        #expect(!pair.sides[1].hasInvitation)
    }

    @Test func `a side that only receives sends a card without fields`() throws {
        var pair = Pair()
        try pair.press(0, share: false)
        try pair.press(1)
        pair.pass(seconds: 2)
        #expect(pair.phases == [.deciding, .deciding])
        #expect(pair.sides[1].session.theirCard?.isEmpty == true)
        #expect(pair.sides[0].session.isSharing == false)
    }

    @Test func `a second drop is refused while one is on`() throws {
        var pair = try deciding()
        #expect(
            throws: CommandFault.conflict(
                "A drop is already running; finish or cancel it first.")
        ) { try pair.press(0) }
    }

    @Test(arguments: [0, 1, 2, 4]) func `a cancellation reaches the other side at any time`(
        _ seconds: Int
    ) throws {
        var pair = Pair()
        try pair.press(0)
        try pair.press(1)
        pair.pass(seconds: seconds)
        try pair.cancel(0)
        pair.pass(seconds: 2)
        #expect(pair.phases == [.cancelled, .cancelled])
        #expect(!pair.areMates && pair.sides.allSatisfy { $0.edge == nil })
    }

    @Test func `a lost end message is sent again when the other side goes on`() throws {
        var pair = try deciding()
        pair.weather.lost = 100
        try pair.cancel(0)
        pair.weather.lost = 0
        pair.pass(seconds: 2)
        #expect(pair.phases == [.cancelled, .cancelled])
    }

    @Test func `late messages of an old drop change nothing`() throws {
        var pair = try deciding()
        let old = pair.sent
        try pair.cancel(0)
        pair.pass(seconds: 5)
        try pair.press(0)
        try pair.press(1)
        pair.pass(seconds: 2)
        let before = pair.sides.map(\.session.checkCode)
        for message in old {
            pair.receive(message, on: 0, from: pair.sides[1].me)
            pair.receive(message, on: 1, from: pair.sides[0].me)
        }
        #expect(pair.phases == [.deciding, .deciding])
        #expect(pair.sides.map(\.session.checkCode) == before)
    }

    @Test func `a side that cannot store its edge fails and tells the other`() throws {
        var pair = try deciding()
        try pair.accept(0)
        for effect in pair.sides[0].session.fail(.notStored("the disk is full")) {
            if case .send(let message, _) = effect {
                pair.receive(message, on: 1, from: pair.sides[0].me)
            }
        }
        pair.pass(seconds: 1)
        #expect(pair.phases == [.failed, .failed])
        #expect(pair.sides[0].session.ending?.sentence.english.contains("the disk is full") == true)
    }
}
