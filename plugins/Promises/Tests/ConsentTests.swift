import Foundation
import PluginKit
import PromisesAPI
import TestSupport
import Testing

@testable import Promises

/// The rule for when a person's consent covers a promise, as a value.
@Suite struct ConsentTests {
    /// The time that the person agreed to, and everything else in seconds after it.
    private static let agreed = Timestamp(milliseconds: 1_900_000_000_000)
    private static let consent = Consent(agreed: agreed, withdrawn: nil)

    private static func after(_ seconds: Double) -> Timestamp {
        agreed + .milliseconds(Int64(seconds * 1000))
    }

    @Test(arguments: [
        // The time agreed to: from three hours before to the end.
        (0.0, -10_800.0, true), (0, -1800, true), (0, 10_799.999, true), (0, 10_800, false),
        // Moved earlier, before and during the tracking.
        (-0.001, -10_800, false), (-1, -1800, false), (-1200, 0, false), (-86_400, -86_400, false),
        // Moved later, but beginning before the agreed hours end.
        (0.001, -1800, true), (1200, -600, true), (1200, 0, true), (1200, 10_799.999, true),
        (1200, 10_800, false), (12_599.999, 0, true), (12_599.999, 10_799.999, true),
        // Moved to where it would begin after them.
        (12_600, -3600, false), (12_600, 10_800, false), (86_400, 0, false),
        // Far away at either end.
        (-1_900_000_000, 0, false), (4_000_000_000, 0, false),
    ])
    func `a consent covers the hours agreed to, and no earlier time`(
        _ at: Double, _ now: Double, _ isCovered: Bool
    ) {
        #expect(Self.consent.covers(Self.after(at), now: Self.after(now)) == isCovered)
    }

    @Test func `without a recorded or a present consent no time is covered`() {
        for consent in [
            Consent(agreed: nil, withdrawn: nil), Consent(agreed: nil, withdrawn: Self.agreed),
            Consent(agreed: Self.agreed, withdrawn: Self.agreed),
        ] {
            for at in [-1800.0, 0, 1800] {
                #expect(!consent.covers(Self.after(at), now: Self.agreed))
                #expect(!consent.includes(Self.after(at)))
            }
        }
        // The end of an older consent is no end of this one.
        let renewed = Consent(agreed: Self.agreed, withdrawn: Self.after(-3600))
        #expect(renewed.covers(Self.agreed, now: Self.agreed))
    }

    @Test(arguments: [
        // Not tracked before, and tracked at once after the move.
        (7200.0, 1200.0, 0.0, true), (7200, 1800, 0, true), (86_400, 0, -1800, true),
        (-60, 0, 0, true),
        // Tracked at once, but not covered: the move asks anyway.
        (7200, -60, 0, false), (86_400, 13_000, 11_200, false),
        // Begins later, however little.
        (7200, 1800.001, 0, false), (0, 7200, 0, false),
        // Was tracked and is: the person is shown by their consent already.
        (0, 1200, 0, false), (1200, 0, 0, false),
        // The same time.
        (0, 0, 0, false),
    ])
    func `a move that would show a person at once asks first`(
        _ old: Double, _ new: Double, _ now: Double, _ isSurprised: Bool
    ) {
        #expect(
            Self.consent.isSurprised(
                byMoveFrom: Self.after(old), to: Self.after(new), now: Self.after(now))
                == isSurprised)
    }

    @Test func `no moves show a person outside of the hours that they agreed to`() {
        var generator = SeededGenerator(seed: 14)
        for _ in 0..<2000 {
            let at = Self.after(Double(generator.number(-50_000...50_000)))
            let now = Self.after(Double(generator.number(-50_000...50_000)))
            guard Self.consent.covers(at, now: now), PromisePhase(at: at, now: now) == .tracking
            else { continue }
            #expect(PromisePhase(at: Self.agreed, now: now) == .tracking && at >= Self.agreed)
        }
    }

    @Test func `a moment of another day is named with its day`() throws {
        let zone = try #require(TimeZone(identifier: "Asia/Seoul"))
        // 2026-05-01 18:00 in Seoul.
        let now = Timestamp(milliseconds: 1_777_626_000_000)
        #expect(MomentText.text(now, now: now, in: zone) == "18:00")
        #expect(MomentText.text(now + .seconds(6 * 3600), now: now, in: zone) == "Sat 2 May, 00:00")
    }
}
