import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// The facts that others can see of the user now, with the switch that shows the user's name to
/// everyone.
@MainActor
final class VisibilityView: Box {
    /// Called when the user shows their names to others, or hides them.
    var onChange: @MainActor (_ isForEveryone: Bool) -> Void = { _ in }

    private let everyone = Label().styled("dim").width(characters: 34)
    private let change = Button("Show my name for 10 min")
    private var isForEveryone = false

    init() {
        super.init(.down, spacing: 8)
        append(Label("What others can see now").styled("heading"))
        let row = Box(
            .down, spacing: 2,
            [
                Label("Everyone nearby").styled("row-title"), everyone,
                change.aligned(.start).margin(across: 0, down: 4),
            ])
        let mates = Box(
            .down, spacing: 2,
            [
                Label("Your mates").styled("row-title"),
                Label("Your card, and the location that you set by hand")
                    .styled("dim").width(characters: 34),
            ])
        append(Box(.down, [row.styled("item"), mates.styled("item")]).styled("list-box"))
        change.onClick { [weak self] in
            guard let self else { return }
            onChange(!isForEveryone)
        }
    }

    /// Shows the people who see my names, and for how long.
    func show(_ visibility: Visibility?, measuredAt: Duration, now: Duration) {
        isForEveryone = visibility?.isForEveryone ?? false
        let left = visibility?.secondsLeft.map {
            Countdown(timeLeft: .seconds($0.value), measuredAt: measuredAt).text(at: now)
        }
        everyone.text =
            isForEveryone
            ? "Your name" + (left.map { " · \($0)" } ?? "")
            : "That someone is here, but no name"
        change.text = isForEveryone ? "Hide my name" : "Show my name for 10 min"
        change.named(
            isForEveryone
                ? "Stop showing your name to everyone"
                : "Show your name to everyone nearby for 10 minutes")
        change.isEnabled = visibility != nil
    }
}
