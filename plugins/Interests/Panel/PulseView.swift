import GtkKit
import PanelKit

/// A circle that beats while it is on the screen; it is still if the desktop shows no animations.
@MainActor
final class PulseView: Canvas {
    private var beat: PulseBeat?
    private var time = Duration.zero
    private var frames: FrameTicker?

    /// The width and the height, in pixels.
    private static let pixels: Int32 = 132

    init() {
        super.init(isFocusable: false)
        minimum(width: Self.pixels, height: Self.pixels)
        aligned(.centre).role(.picture)
    }

    /// Shows a beat; nil shows nothing.
    /// - Parameter isMoving: whether the circle moves.
    func show(_ beat: PulseBeat?, isMoving: Bool) {
        isVisible = beat != nil
        named(beat?.text ?? "")
        if beat == nil || !isMoving {
            frames = nil
        } else if frames == nil {
            frames = FrameTicker(of: self) { [weak self] in self?.move(to: $0) }
        }
        guard beat != self.beat else { return }
        self.beat = beat
        redraw()
    }

    /// Shows the moment of a frame; on another page the circle rests.
    private func move(to time: Duration) {
        guard isMapped else { return frames = nil }
        self.time = time
        redraw()
    }

    override func paint(_ painter: Painter) {
        guard let beat else { return }
        let centre = Point(x: painter.size.width / 2, y: painter.size.height / 2)
        let largest = min(painter.size.width, painter.size.height) / 2 - 2
        let share = frames == nil ? beat.stillShare : beat.share(at: time)
        let ink = colour(.selected)
        painter.ring(centre, radius: largest, ink.opacity(0.35))
        painter.disc(centre, radius: largest * share, ink.opacity(0.35))
        painter.disc(centre, radius: largest * PulseBeat.restingShare, ink)
    }
}
