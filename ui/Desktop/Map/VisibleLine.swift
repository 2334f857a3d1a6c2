import GtkKit

/// The part of a straight line that lies in a view. A line that is far longer than the view costs
/// no more to paint than what is seen of it.
struct VisibleLine: Equatable {
    let start: Point
    let end: Point

    /// Cuts the line between two pixels to a view; nil if nothing of it is seen.
    ///
    /// For example, in a view 100 pixels wide, the level line from −50 to 50 is seen from 0 to 50.
    init?(from start: Point, to end: Point, in view: Size) {
        let (x, y) = (end.x - start.x, end.y - start.y)
        // The parts of the line at which it enters and leaves the view, from 0 to 1.
        var (enter, leave) = (0.0, 1.0)
        for (step, room) in [
            (-x, start.x), (x, view.width - start.x), (-y, start.y), (y, view.height - start.y),
        ] {
            if step == 0 {
                if room < 0 { return nil }
            } else if step < 0 {
                enter = max(enter, room / step)
            } else {
                leave = min(leave, room / step)
            }
        }
        guard enter <= leave else { return nil }
        self.start = Point(x: start.x + enter * x, y: start.y + enter * y)
        self.end = Point(x: start.x + leave * x, y: start.y + leave * y)
    }
}
