import PanelKit

/// The state of a replay: where it is, and whether it plays. A whole walk plays in half a
/// minute, and none slower than it was walked.
struct WalkPlayback: Equatable, Sendable {
    /// The way that is replayed.
    let replay: WalkReplay
    /// The position in seconds from the beginning of the way.
    private(set) var seconds = 0.0
    /// Whether it plays.
    private(set) var isPlaying = false
    /// Whether the user has begun it; before, nothing is marked on the map.
    private(set) var hasBegun = false
    /// The window's time up to which it was played.
    private var playedUntil = Duration.zero

    /// The time in which a walk of more than this plays.
    static let playingTime = Duration.seconds(30)
    /// The shortest time between two positions that are shown.
    static let step = Duration.milliseconds(100)

    /// Creates a playback at the beginning of a way.
    init(_ replay: WalkReplay) { self.replay = replay }

    /// The position that is shown.
    var position: WalkReplay.Position { replay.position(atSeconds: seconds) }

    /// Plays from here, or from the beginning if the end is reached.
    mutating func play(now: Duration) {
        if seconds >= replay.durationSeconds { seconds = 0 }
        (isPlaying, hasBegun, playedUntil) = (true, true, now)
    }

    /// Stays where it is.
    mutating func pause() { isPlaying = false }

    /// Goes to a position of the user's choice, and plays on if it plays.
    mutating func go(toSeconds wanted: Double) {
        seconds = min(max(wanted, 0), replay.durationSeconds)
        hasBegun = true
    }

    /// Plays up to the window's time; at the end it stops.
    /// - Returns: false if it does not play, or too little time has passed to show another
    ///   position.
    mutating func advance(to now: Duration) -> Bool {
        let passed = now - playedUntil
        guard isPlaying, passed >= Self.step else { return false }
        playedUntil = now
        let speed = max(1, replay.durationSeconds / (Self.playingTime / .seconds(1)))
        seconds = min(seconds + passed / .seconds(1) * speed, replay.durationSeconds)
        if seconds >= replay.durationSeconds { isPlaying = false }
        return true
    }
}
