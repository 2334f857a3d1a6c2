import GtkKit

/// Lines in the column beside the map break after about this many characters, so that no text
/// makes the column wider.
let sideCharacters: Int32 = 34

/// Who is here, and where nobody is, why and what to do about it.
@MainActor
final class NearbyCard: Box {
    private let summary = Label().styled("row-title").width(characters: sideCharacters)
    private let cause = Label().width(characters: sideCharacters)
    private let fix = Label().styled("command").selectable().named("What to do")
        .width(characters: sideCharacters)

    init() {
        super.init(.down, spacing: 4)
        styled("nearby").role(.status).named("Nearby")
        for view in [summary, cause, fix] { append(view) }
    }

    /// Shows who is nearby; before the node has said so, that it is looking.
    func show(_ nearby: Nearby?) {
        summary.text = nearby?.summary ?? "Looking around…"
        let reason = nearby?.people.isEmpty == true ? nearby?.emptyReason : nil
        cause.text = reason?.cause ?? ""
        cause.isVisible = reason != nil
        fix.text = reason?.fix ?? ""
        fix.isVisible = reason?.fix != nil
    }
}
