import GtkKit

/// Who is here, and where nobody is, why and what to do about it.
@MainActor
final class NearbyCard: Box {
    private let summary = Label().styled("row-title")
    private let cause = Label()
    private let fix = Label().styled("command").selectable().named("What to do")

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
