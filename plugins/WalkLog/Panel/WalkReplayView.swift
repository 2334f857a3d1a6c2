import GtkKit
import PanelKit

/// The replay of a walk's way: a button that plays and pauses, a slider, and the time of day and
/// the distance at its position.
@MainActor
final class WalkReplayView: Box {
    /// Called when another position is to be shown on the map, or none.
    var onChange: @MainActor () -> Void = {}
    /// The replay; nil if the walk has no way that can be replayed.
    private(set) var playback: WalkPlayback?

    /// The position that the user looks at; nil before the replay has begun.
    var position: WalkReplay.Position? {
        playback.flatMap { $0.hasBegun ? $0.position : nil }
    }

    private let now: @MainActor () -> Duration
    private let button = Button(icon: WalkReplayView.playIcon, name: localized("Replay the walk"))
    private let slider = Slider().named(localized("Position on the way"))
        .expanding(across: true)
    private let time = Label().styled("dim")
    /// Whether the button pauses.
    private var showsPause = false
    private var frames: FrameTicker?
    private var ticks: Ticker?

    private static let playIcon = "media-playback-start-symbolic"
    private static let pauseIcon = "media-playback-pause-symbolic"
    /// The parts of a way that an arrow key, and a page key, go past.
    private static let (stepParts, pageParts) = (60.0, 10.0)

    /// Creates a replay without a walk.
    /// - Parameter now: the window's time on a clock that is never set.
    init(now: @escaping @MainActor () -> Duration) {
        self.now = now
        super.init(.down)
        role(.group).named(localized("Replay"))
        append(Box(.across, spacing: 8, [button.aligned(.start, .centre), slider]))
        append(time)
        hidden()
        button.onClick { [weak self] in self?.press() }
        slider.onMove { [weak self] seconds in
            self?.playback?.go(toSeconds: seconds)
            self?.changed()
        }
    }

    /// Prepares the replay of a way, and ends the one before; nil only ends it.
    func load(_ replay: WalkReplay?) {
        guard replay != playback?.replay || replay == nil else { return }
        end()
        playback = replay.map(WalkPlayback.init)
        isVisible = playback != nil
        guard let replay else { return }
        let length = replay.durationSeconds
        slider.setMaximum(length, step: length / Self.stepParts, page: length / Self.pageParts)
        show()
    }

    /// Ends the replay and goes back to the beginning, since its page is left.
    func end() {
        guard let replay = playback?.replay, playback?.hasBegun == true else { return }
        playback = WalkPlayback(replay)
        changed()
    }

    private func press() {
        if playback?.isPlaying == true { playback?.pause() } else { playback?.play(now: now()) }
        changed()
    }

    private func advance() {
        if playback?.advance(to: now()) == true { changed() }
    }

    private func changed() {
        show()
        onChange()
    }

    private func show() {
        guard let playback else { return }
        setTicking(playback.isPlaying)
        slider.value = playback.seconds
        time.text = WalkText.position(playback.position)
        // While it plays, a screen reader would say each second.
        if !playback.isPlaying { slider.described(time.text) }
        guard playback.isPlaying != showsPause else { return }
        showsPause = playback.isPlaying
        if showsPause {
            button.show(icon: Self.pauseIcon, name: localized("Pause the replay"))
        } else {
            button.show(icon: Self.playIcon, name: localized("Replay the walk"))
        }
    }

    /// Plays before each frame, or once a second if the desktop shows no animations.
    private func setTicking(_ isTicking: Bool) {
        guard isTicking else {
            (frames, ticks) = (nil, nil)
            return
        }
        guard frames == nil, ticks == nil else { return }
        if FrameTicker.isMotionWanted(by: self) {
            frames = FrameTicker(of: self) { [weak self] _ in self?.advance() }
        } else {
            ticks = Ticker { [weak self] in self?.advance() }
        }
    }
}
