import Contract
import PanelTestSupport
import ProximityDropAPI
import Testing

@testable import ProximityDropPanel

/// The drops whose end a window shows.
struct WatchedDropTests {
    private func session(_ phase: DropPhase, _ drop: RecordKey? = nil) -> DropStatus {
        var session = DropStatus(phase: phase, ranged: .init(available: false))
        session.id = drop
        return session
    }

    private let former = id("a")
    private let drop = id("b")
    private let next = id("c")

    @Test func `a drop is followed from its beginning to its end`() {
        var watched = WatchedDrop(after: session(.declined, former))
        for session in [session(.finding), session(.exchanging, drop), session(.mates, drop)] {
            #expect(watched.covers(session))
            watched.follow(session)
        }
        #expect(!watched.covers(session(.declined, next)))
        #expect(!watched.covers(session(.finding)))
    }

    @Test func `a drop that was over before it was seen is watched too`() {
        var watched = WatchedDrop(after: session(.declined, former))
        watched.follow(session(.declined, former))
        #expect(!watched.covers(session(.declined, former)))
        watched.follow(session(.declined, drop))
        #expect(watched.covers(session(.declined, drop)))
    }

    @Test func `a search that ended without the other side is watched`() {
        #expect(WatchedDrop(after: session(.idle)).covers(session(.failed)))
    }
}
