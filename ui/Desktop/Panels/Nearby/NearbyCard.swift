import FeaturesAPI
import GtkKit

/// Lines in the column beside the map wrap after about this many characters, so that no text makes
/// the column wider.
let sideCharacters: Int32 = 34

/// The people nearby; if there are none, the reason and its remedy.
@MainActor
final class NearbyCard: Box {
    /// Called when the user shows their names to others, or hides them.
    var onVisibility: @MainActor (_ isForEveryone: Bool) -> Void = { _ in }

    private let summary = Label().styled("row-title").width(characters: sideCharacters)
    private let cause = Label().width(characters: sideCharacters)
    private let fix = Label().styled("command").selectable().named("What to do")
        .width(characters: sideCharacters)

    private let visible = Label().styled("dim").width(characters: 20)
    private let change = Button("Show me to all")
    private var isForEveryone = false

    init() {
        super.init(.down, spacing: 4)
        styled("nearby").role(.status).named("Nearby")
        for view in [summary, cause, fix] { append(view) }
        append(
            Box(
                .across, spacing: 8,
                [visible.expanding(across: true), change.aligned(.end, .centre)]))
        change.onClick { [weak self] in
            guard let self else { return }
            onVisibility(!isForEveryone)
        }
    }

    /// Shows the people who see my names, and for how long.
    func show(_ visibility: Visibility?, takenAt: Duration, now: Duration) {
        isForEveryone = visibility?.isForEveryone ?? false
        let left = visibility?.secondsLeft.map {
            Countdown(secondsLeft: $0, takenAt: takenAt).text(at: now)
        }
        visible.text =
            isForEveryone
            ? "Everyone nearby sees your name" + (left.map { ", \($0)" } ?? "")
            : "Only mates see your name"
        change.text = isForEveryone ? "Stop" : "Show me to all"
        change.named(
            isForEveryone
                ? "Stop showing your name to everyone"
                : "Show your name to everyone nearby for 10 minutes")
        change.isEnabled = visibility != nil
    }

    /// Shows the people nearby; nil shows that the node is still looking.
    func show(_ nearby: NearbyList?) {
        summary.text = nearby?.summary ?? "Looking around…"
        let reason = nearby?.people.isEmpty == true ? nearby?.emptyReason : nil
        cause.text = reason?.cause ?? ""
        cause.isVisible = reason != nil
        fix.text = reason?.fix ?? ""
        fix.isVisible = reason?.fix != nil
    }
}
