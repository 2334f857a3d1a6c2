import Foundation
import PluginKit
import ProximityDropAPI
import Records
import TestSupport
import Testing

@testable import ProximityDrop

@Suite struct DropBandTests {
    private static let devices = {
        var generator = SeededGenerator(seed: 7)
        return (0..<3).map { _ in DeviceID(raw: generator.bytes32()) }
    }()

    private func measured(
        _ metres: Double?, _ uncertainty: Double? = 0.01, direction: [Double]? = nil,
        device: Int = 0
    ) throws -> RangeMeasurement {
        try RangeMeasurement(
            RangeReport(
                device: Self.devices[device], distanceMetres: metres,
                direction: direction ?? (metres == nil ? [0, 0, 1] : nil),
                uncertaintyMetres: uncertainty), now: .zero)
    }

    private func isInBand(_ measurement: RangeMeasurement) -> Bool {
        DropBand.choice(among: [measurement]) == .one(measurement.device)
    }

    @Test(arguments: [
        (0.09, false), (0.0901, true), (0.1499, true), (0.15, false), (0, false), (1000, false),
    ]) func `the band is strictly between 0.09 and 0.15 m`(metres: Double, isIn: Bool) throws {
        #expect(isInBand(try measured(metres)) == isIn)
    }

    @Test(arguments: [(0.03, true), (0.0301, false), (0, true)])
    func `an uncertainty up to 0.03 m counts`(metres: Double, isIn: Bool) throws {
        #expect(isInBand(try measured(0.12, metres)) == isIn)
    }

    @Test func `an unknown distance or uncertainty is not in the band`() throws {
        #expect(!isInBand(try measured(0.12, nil)))
        #expect(!isInBand(try measured(nil)))
    }

    @Test(arguments: [(0.0, true), (34.9, true), (35.1, false), (90, false), (180, false)])
    func `a known direction is within 35 degrees from ahead`(degrees: Double, isIn: Bool) throws {
        let radians = degrees * .pi / 180
        let (aside, ahead) = (sin(radians), cos(radians))
        for direction in [[aside, 0, ahead], [0, -aside, ahead]] {
            #expect(isInBand(try measured(0.12, direction: direction)) == isIn)
        }
    }

    @Test(arguments: [[], [0, 0, -2], [.nan, 0, 1], [0, 0, 0]])
    func `a direction that is not of unit length decides nothing`(_ vector: [Double]) throws {
        #expect(isInBand(try measured(0.12, direction: vector)))
    }

    @Test(arguments: [
        (0.10, 0.01, 0.1199, 0.01, false), (0.10, 0.01, 0.1201, 0.01, true),
        (0.10, 0.03, 0.14, 0.03, false), (0.10, 0.0, 0.10, 0.0, false),
    ]) func `of two the nearest wins if it is nearer by more than both uncertainties`(
        near: Double, nearError: Double, far: Double, farError: Double, isClear: Bool
    ) throws {
        let one = try measured(near, nearError)
        let other = try measured(far, farError, device: 1)
        let expected: DropBand.Choice =
            isClear ? .one(one.device) : .several([one.device, other.device].sorted())
        #expect(DropBand.choice(among: [other, one]) == expected)
    }

    @Test func `one outside of the band competes with nobody`() throws {
        let outside = try measured(0.0899, device: 1)
        let inside = try measured(0.091)
        #expect(DropBand.choice(among: [outside, inside]) == .one(inside.device))
        #expect(DropBand.choice(among: [outside]) == .nobody)
    }

    @Test func `a person is told what keeps the nearest device out of the band`() throws {
        #expect(RangedAdvice(about: [RangeMeasurement]()) == .holdTogether)
        #expect(RangedAdvice(about: [try measured(0.4)]) == .closer)
        #expect(RangedAdvice(about: [try measured(0.05)]) == .furtherApart)
        #expect(RangedAdvice(about: [try measured(0.12, 0.2)]) == .holdStill)
        #expect(RangedAdvice(about: [try measured(0.12, direction: [1, 0, 0])]) == .pointAhead)
        let two = [try measured(0.12), try measured(0.12, device: 1)]
        #expect(RangedAdvice(about: two) == .choose)
        #expect(RangedAdvice(about: two + [try measured(5, device: 2)]) == .choose)
    }

    @Test(arguments: [0, 5, 29]) func `both get both cards, however long apart they enter the band`(
        _ seconds: Int
    ) throws {
        for isMeasured in [true, false] {
            var pair = Pair(seed: 3)
            try pair.press(0, isRanged: true)
            try pair.press(1, isRanged: true)
            // The first measures no direction, or one that is none, and leaves at once.
            pair.range(0, 0.12, direction: isMeasured ? [0, 0, 3] : nil)
            pair.pass(milliseconds: 400)
            pair.range(0, 5)
            pair.pass(milliseconds: seconds * 1000 - 400)
            #expect(seconds == 0 || pair.phases == [.finding, .finding])
            pair.range(1, 0.12, direction: [0, 0, 1])
            pair.pass(milliseconds: 300)
            pair.range(1, 0.12, direction: [0, 0, 1])
            pair.deliver()
            pair.pass(seconds: 2)
            #expect(pair.phases == [.deciding, .deciding])
            #expect(pair.sides.map(\.session.theirCard) == [Pair.cards[1], Pair.cards[0]])
        }
    }

    @Test func `a ranged press chooses no single candidate, and fails after 30 s`() throws {
        var pair = Pair(seed: 1)
        try pair.press(0, isRanged: true)
        try pair.press(1, target: false)
        pair.pass(seconds: 29)
        #expect(pair.sides[0].session.target == nil)
        pair.pass(seconds: 1)
        #expect(pair.sides[0].session.failure == .notTogether)
    }

    @Test func `two that are equally near are offered, and the chosen one is taken`() throws {
        var session = DropSession(me: Peer(device: Self.devices[2], person: PersonID(raw: .zero)))
        _ = try session.press(
            target: nil, isRanged: true, share: false, card: DropCard(ProfileFields()),
            nonce: .zero, candidates: [], now: .zero)
        let both = [try measured(0.12), try measured(0.12, device: 1)]
        _ = session.receive(both, now: .zero)
        #expect(session.candidates.isEmpty)
        _ = session.receive(both, now: DropBand.collecting)
        #expect(session.candidates == both.map(\.device).sorted() && session.isRanging)
        _ = try session.choose(both[1].device, now: .seconds(1))
        #expect(session.target == both[1].device && !session.isRanging)
    }
}
