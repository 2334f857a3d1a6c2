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

    private let everyone = ActionRow()
    private let change = Switch()
    private let mates = ActionRow(
        localized("Your mates"),
        subtitle: localized("Your card, and the location that you set by hand"))

    /// Creates a view.
    /// - Parameter hasHeading: whether it says itself what it shows.
    init(hasHeading: Bool = true) {
        super.init(.down, spacing: 8)
        if hasHeading {
            append(Label(localized("What others can see now")).styled("heading"))
        }
        everyone.addSuffix(change)
        append(RowList([everyone, mates]).role(.list).named(localized("What others can see now")))
        change.onTurn { [weak self] in self?.onChange($0) }
    }

    /// Shows the people who see my names, and for how long.
    func show(_ visibility: Visibility?, measuredAt: Duration, now: Duration) {
        let isForEveryone = visibility?.isForEveryone ?? false
        let left = visibility?.secondsLeft.map {
            Countdown(timeLeft: .seconds($0.value), measuredAt: measuredAt).clockText(at: now)
        }
        everyone.title =
            localized("Show my name for 10 min")
            + (isForEveryone ? left.map { " · \($0)" } ?? "" : "")
        everyone.subtitle =
            isForEveryone
            ? localized("Everyone nearby sees your name")
            : localized("Everyone nearby sees that someone is here, but no name")
        change.isOn = isForEveryone
        change.named(
            isForEveryone
                ? localized("Stop showing your name to everyone")
                : localized("Show your name to everyone nearby for 10 minutes"))
        change.isEnabled = visibility != nil
    }
}
