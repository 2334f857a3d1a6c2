import GtkKit
import PanelKit

/// The page of a user who joined no neighbourhood: what it is, and how to join one.
@MainActor
final class OutsideView: Box {
    /// The field that joins.
    let join = JoinView(isFirst: true)

    init() {
        super.init(.down, spacing: 16)
        styled("page")
        append(Label(localized("Neighbourhood")).styled("page-title"))
        append(
            Label(
                localized(
                    "Read and write posts with the people around you, without a server. Nothing "
                        + "is shown or sent before you join.")
            ).width(characters: 34))
        append(join)
    }
}
