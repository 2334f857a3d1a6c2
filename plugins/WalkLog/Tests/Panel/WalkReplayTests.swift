import Contract
import PanelKit
import Testing
import WalkLogAPI

@testable import WalkLogPanel

/// The replay of a walk without its widgets, which need a display.
struct WalkReplayTests {
    private static let start = Timestamp(milliseconds: 1_795_392_000_000)

    private func place(
        _ north: Double, second: Double, begins: Bool = false, longitude: Double = 127
    ) -> WalkTrack.Place {
        WalkTrack.Place(
            latitude: north, longitude: longitude,
            atMs: Self.start + .milliseconds(Int64(second * 1000)), begins: begins)
    }

    @Test func `a position moves by the times of the way, and its pauses take no time`() throws {
        let replay = try #require(
            WalkReplay([
                place(0, second: 0, begins: true), place(1, second: 100), place(2, second: 120),
                place(5, second: 420, begins: true), place(6, second: 600),
            ]))
        #expect(replay.durationSeconds == 300)
        let passed = [-1, 0, 50, 100, 110, 119.999, 120, 210, 300, 999].map {
            replay.position(atSeconds: $0)
        }
        let latitudes = passed.map { ($0.coordinate.latitude * 100).rounded() / 100 }
        #expect(latitudes == [0, 0, 0.5, 1, 1.5, 2, 5, 5.5, 6, 6])
        // A degree is 111.19 km, and the way over the pause is not part of it.
        let degrees = passed.map { ($0.metres / 1111.95).rounded() / 100 }
        #expect(degrees == [0, 0, 0.5, 1, 1.5, 2, 2, 2.5, 3, 3])
        let times = passed.map { (($0.time - Self.start) / .seconds(1)).rounded() }
        #expect(times == [0, 0, 50, 100, 110, 120, 420, 510, 600, 600])
    }

    @Test func `a way that goes nowhere has no replay`() {
        #expect(WalkReplay([]) == nil)
        #expect(WalkReplay([place(1, second: 0, begins: true)]) == nil)
        #expect(WalkReplay([place(1, second: 0, begins: true), place(1, second: 0)]) == nil)
        #expect(
            WalkReplay([place(1, second: 0, begins: true), place(2, second: 9, begins: true)])
                == nil)
    }

    @Test(arguments: [(21_600.0, true), (21_601, false), (0, false), (-50, false)])
    func `times of no walk are not used: the way is replayed at the speed of a walker`(
        last: Double, isUsed: Bool
    ) throws {
        let replay = try #require(
            WalkReplay([place(0, second: 0, begins: true), place(0.001, second: last)]))
        // 111 m at 1.4 m/s.
        let expected = isUsed ? last : 79.4
        #expect(abs(replay.durationSeconds - expected) < 0.1)
        let middle = replay.position(atSeconds: replay.durationSeconds / 2)
        #expect(abs(middle.coordinate.latitude - 0.0005) < 1e-6)
    }

    @Test func `a step over 180 degrees east goes the short way`() throws {
        let replay = try #require(
            WalkReplay([
                place(0, second: 0, begins: true, longitude: 179.999),
                place(0, second: 10, longitude: -179.997),
            ]))
        let longitudes = [2.5, 5].map { replay.position(atSeconds: $0).coordinate.longitude }
        #expect(abs(longitudes[0] - 180) < 1e-9 && abs(longitudes[1] + 179.999) < 1e-9)
    }

    @Test func `a mate's way with any times and places has positions on the map`() throws {
        let places = [
            WalkTrack.Place(latitude: 90, longitude: 180, atMs: .max, begins: false),
            WalkTrack.Place(latitude: -90, longitude: -180, atMs: .min, begins: false),
            WalkTrack.Place(latitude: 0, longitude: 0, atMs: .max, begins: false),
        ]
        let replay = try #require(WalkReplay(places))
        for part in stride(from: 0, through: 1, by: 0.05) {
            let position = replay.position(atSeconds: replay.durationSeconds * part)
            #expect(abs(position.coordinate.latitude) <= Coordinate.latitudeMax)
        }
    }

    @Test func `a position is said by its time and the way up to there`() throws {
        let replay = try #require(
            WalkReplay([place(0, second: 0, begins: true), place(0.01, second: 1200)]))
        let text = WalkText.position(replay.position(atSeconds: 600))
        #expect(text.wholeMatch(of: /\d\d:\d\d · 556 m/) != nil, "it says \(text)")
        let marker = WalkLayer.marker(of: replay.position(atSeconds: 1200))
        #expect(marker.detail == "1.11 km" && marker.symbol == .position)
    }

    private func playback(seconds: Double) throws -> WalkPlayback {
        WalkPlayback(
            try #require(
                WalkReplay([place(0, second: 0, begins: true), place(1, second: seconds)])))
    }

    @Test func `a walk of an hour plays in 30 seconds, ten positions a second at most`() throws {
        var playback = try playback(seconds: 3600)
        #expect(!playback.hasBegun && !playback.isPlaying)
        playback.play(now: .seconds(100))
        #expect(playback.isPlaying && playback.hasBegun)
        let isShown = [50, 99, 100, 150, 200].map {
            playback.advance(to: .seconds(100) + .milliseconds($0))
        }
        #expect(isShown == [false, false, true, false, true])
        #expect(abs(playback.seconds - 24) < 1e-9)
        #expect(playback.advance(to: .seconds(129)) && playback.isPlaying)
        #expect(playback.advance(to: .seconds(130)) && !playback.isPlaying)
        #expect(playback.seconds == 3600 && !playback.advance(to: .seconds(131)))
    }

    @Test func `a walk of ten seconds plays no faster than it was walked`() throws {
        var playback = try playback(seconds: 10)
        playback.play(now: .zero)
        _ = playback.advance(to: .seconds(4))
        #expect(playback.seconds == 4)
    }

    @Test func `the slider moves a replay that plays on, and one that does not`() throws {
        var playback = try playback(seconds: 3600)
        playback.go(toSeconds: 1800)
        #expect(playback.hasBegun && !playback.isPlaying && playback.seconds == 1800)
        playback.play(now: .zero)
        playback.go(toSeconds: 9999)
        #expect(playback.seconds == 3600 && playback.isPlaying)
        playback.go(toSeconds: -1)
        #expect(playback.advance(to: .seconds(1)) && playback.seconds == 120)
        playback.pause()
        #expect(!playback.advance(to: .seconds(2)) && playback.seconds == 120)
    }

    @Test func `a replay that has ended begins again`() throws {
        var playback = try playback(seconds: 60)
        playback.go(toSeconds: 60)
        playback.play(now: .zero)
        #expect(playback.seconds == 0 && playback.isPlaying)
    }
}
