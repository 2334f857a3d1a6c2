import PluginKit
import ProximityDropAPI
import Records
import TestSupport
import Testing

@testable import ProximityDrop

@Suite struct HostileDropTests {
    @Test func `a nonce that does not match its commitment fails the drop, and no card is sent`()
        throws
    {
        var pair = Pair()
        try pair.press(0)
        try pair.press(1)
        pair.kill(1)
        let offer = pair.sent.compactMap { message -> Bytes32? in
            if case .offer(let commitment) = message { commitment } else { nil }
        }
        pair.receive(.offer(commitment: offer[1]), on: 0, from: pair.sides[1].me)
        let id = try #require(pair.sides[0].session.id)
        pair.receive(
            .reveal(id: id, nonce: Bytes32([UInt8](repeating: 6, count: 32)) ?? .zero), on: 0,
            from: pair.sides[1].me)
        #expect(pair.sides[0].session.failure == .commitmentMismatch)
        #expect(!pair.sent.contains { if case .card = $0 { true } else { false } })
    }

    @Test func `a commitment that is sent back to its author cannot be revealed`() throws {
        var pair = Pair()
        try pair.press(0)
        guard case .offer(let mine) = try #require(pair.sent.first) else { return }
        pair.receive(.offer(commitment: mine), on: 0, from: pair.sides[1].me)
        let id = try #require(pair.sides[0].session.id)
        let nonce = pair.sent.compactMap { message -> Bytes32? in
            if case .reveal(_, let nonce) = message { nonce } else { nil }
        }
        pair.receive(
            .reveal(id: id, nonce: try #require(nonce.first)), on: 0, from: pair.sides[1].me)
        #expect(pair.sides[0].session.failure == .commitmentMismatch)
    }

    @Test func `messages out of order change nothing`() throws {
        var pair = Pair()
        try pair.press(0)
        try pair.press(1)
        pair.kill(1)
        let commitment = DropTranscript.commitment(of: pair.sides[1].me.device, nonce: .zero)
        pair.receive(.offer(commitment: commitment), on: 0, from: pair.sides[1].me)
        let id = try #require(pair.sides[0].session.id)
        let state = DropState(hasYourCard: true, answer: .accept, sawYourAnswer: true, asks: true)
        for message: DropMessage in [
            .card(id: id, Pair.cards[1].encoded), .state(id: id, state),
        ] {
            pair.receive(message, on: 0, from: pair.sides[1].me)
            #expect(pair.phases[0] == .exchanging && pair.sides[0].session.theirCard == nil)
        }
    }

    @Test func `a message from a third device is ignored in a drop`() throws {
        var pair = Pair()
        try pair.press(0)
        try pair.press(1)
        pair.pass(seconds: 2)
        let stranger = Peer(
            device: DeviceID(raw: .zero), person: PersonID(raw: .zero))
        let id = try #require(pair.sides[0].session.id)
        let decline = DropState(hasYourCard: true, answer: .decline)
        pair.receive(.state(id: id, decline), on: 0, from: stranger)
        for case .offer(let commitment) in pair.sent {
            pair.receive(.end(commitment: commitment, .cancelled), on: 0, from: stranger)
        }
        #expect(pair.phases == [.deciding, .deciding])
    }

    @Test func `a malformed card is a typed failure`() throws {
        for card: [UInt8] in [[0], [1], [2, 0x42], [1, 0x41, 0xff], [2, 0, 1, 0]] {
            var pair = Pair()
            try pair.press(0)
            try pair.press(1)
            pair.kill(1)
            let nonce = Bytes32([UInt8](repeating: 4, count: 32)) ?? .zero
            let device = pair.sides[1].me.device
            pair.receive(
                .offer(commitment: DropTranscript.commitment(of: device, nonce: nonce)), on: 0,
                from: pair.sides[1].me)
            let id = try #require(pair.sides[0].session.id)
            pair.receive(.reveal(id: id, nonce: nonce), on: 0, from: pair.sides[1].me)
            pair.receive(.card(id: id, card), on: 0, from: pair.sides[1].me)
            #expect(pair.sides[0].session.failure == .malformed)
        }
    }

    @Test func `the first card is kept when others follow`() throws {
        var pair = Pair()
        try pair.press(0)
        try pair.press(1)
        pair.pass(seconds: 2)
        let id = try #require(pair.sides[0].session.id)
        pair.receive(
            .card(id: id, DropCard(ProfileFields(nickname: "Eve")).encoded), on: 0,
            from: pair.sides[1].me)
        #expect(pair.sides[0].session.theirCard == Pair.cards[1])
    }

    @Test func `invitations of a thousand strangers are remembered up to the limit`() {
        var generator = SeededGenerator(seed: 2)
        var pair = Pair()
        for _ in 0..<1000 {
            let stranger = Peer(
                device: DeviceID(raw: generator.bytes32()),
                person: PersonID(raw: generator.bytes32()))
            pair.receive(.offer(commitment: generator.bytes32()), on: 0, from: stranger)
        }
        #expect(pair.sides[0].session.invitations.count == DropLimits.invitationsMax)
    }

    @Test func `offers and ends of a stranger are reported at most once a second`() {
        var generator = SeededGenerator(seed: 3)
        var session = DropSession(
            me: Peer(device: DeviceID(raw: .zero), person: PersonID(raw: .zero)))
        let stranger = Peer(
            device: DeviceID(raw: generator.bytes32()), person: PersonID(raw: generator.bytes32()))
        var reportsCount = 0
        for cycle in 0..<200 {
            let now = Duration.milliseconds(50 * cycle)
            let press = generator.bytes32()
            let offer = DropMessage.offer(commitment: press)
            for message in [offer, .end(commitment: press, .failed)] {
                let effects = session.receive(message, from: stranger, now: now)
                reportsCount += effects.count { $0 == .changed }
            }
        }
        #expect((1...10).contains(reportsCount))
        // The last state is reported by a tick.
        let effects = session.tick(candidates: [], now: .seconds(20))
        #expect(session.shownIncoming == nil)
        #expect(effects.contains(.incoming(nil)) || effects.isEmpty)
        #expect(session.isQuiet(now: .seconds(20)))
    }

    /// Eve runs a drop of her own with each side, with her own key, and forwards the cards.
    @Test func `a man in the middle shows two different codes`() throws {
        for seed: UInt64 in 1...50 {
            var (left, right) = (Pair(seed: seed), Pair(seed: seed + 1000))
            for index in 0...1 {
                try left.press(index)
                try right.press(index)
            }
            left.pass(seconds: 2)
            right.pass(seconds: 2)
            let (one, other) = (left.sides[0].session.checkCode, right.sides[1].session.checkCode)
            #expect(one != nil && other != nil && one != other)
        }
    }

    @Test func `random messages never trap a session`() throws {
        for seed: UInt64 in 1...300 {
            var pair = Pair(seed: seed)
            var generator = SeededGenerator(seed: seed)
            try pair.press(0)
            if generator.chance(50) { try pair.press(1) }
            for _ in 0..<60 {
                if generator.chance(30) { pair.pass(seconds: 1) }
                let id = generator.chance(70) ? pair.sides[0].session.id : nil
                let message = generator.dropMessage(id: id ?? generator.bytes16(), pair.sent)
                pair.receive(message, on: 0, from: pair.sides[1].me)
            }
            #expect(!pair.areMates)
        }
    }
}

extension SeededGenerator {
    /// Returns a message that was sent before or is made up.
    fileprivate mutating func dropMessage(id: Bytes16, _ sent: [DropMessage]) -> DropMessage {
        switch number(0...6) {
        case 0: .offer(commitment: bytes32())
        case 1: .reveal(id: id, nonce: bytes32())
        case 2: .card(id: id, bytes(number(0...20)))
        case 3:
            .state(
                id: id,
                DropState(
                    hasYourCard: chance(50),
                    answer: DropAnswer(rawValue: UInt8(truncatingIfNeeded: number(0...2))),
                    sawYourAnswer: chance(50), asks: chance(50)))
        case 4: .end(commitment: bytes32(), .failed)
        case 5: .thumbnail(id: id, bytes(number(1...20)))
        default: sent.randomElement(using: &self) ?? .offer(commitment: .zero)
        }
    }
}
