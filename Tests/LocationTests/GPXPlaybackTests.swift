import Location
import Synchronization
import Testing

/// Tests playing a track by a clock that the test controls.
struct GPXPlaybackTests {
    /// A clock that advances by the time slept.
    private final class TestClock: Sendable {
        private let elapsed = Mutex(Duration.zero)
        var uptime: Duration { elapsed.withLock { $0 } }
        func sleep(_ duration: Duration) { elapsed.withLock { $0 += duration } }
    }

    private func times(speed: Double) async throws -> [Duration] {
        let clock = TestClock()
        let point = try Point(latitude: 1, longitude: 2)
        let track = try GPXTrack(
            [1000, 3000, 3000, 63_000].map {
                Fix(point: point, at: Timestamp(milliseconds: $0))
            })
        let playback = GPXPlayback(
            track, speed: speed, uptime: { clock.uptime }, sleep: { clock.sleep($0) })
        let reported = Mutex<[Duration]>([])
        try await playback.run { report in
            guard case .fix = report else { return }
            reported.withLock { $0.append(clock.uptime) }
        }
        return reported.withLock { $0 }
    }

    @Test func `each fix is reported at its interval after the first`() async throws {
        #expect(try await times(speed: 1) == [0, 2, 2, 62].map { .seconds($0) })
    }

    @Test func `at 60 times the speed a minute takes a second`() async throws {
        let played = try await times(speed: 60)
        #expect(played.first == .zero)
        #expect(played.last.map { abs(Double($0 / .milliseconds(1)) - 62_000 / 60) < 1 } == true)
    }

    @Test func `a speed out of range is limited to it`() async throws {
        #expect(try await times(speed: 0).last == .seconds(620))
        #expect(try await times(speed: .infinity).last == .seconds(62) / 3600)
    }
}
