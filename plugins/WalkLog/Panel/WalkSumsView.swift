import Contract
import GtkKit
import PanelKit
import WalkLogAPI

/// The sums of the last weeks or months: a bar for each, the first and the last by name, and the
/// present one in words.
@MainActor
final class WalkSumsView: Box {
    private let bars = WalkBars()
    private let first = Label().styled("dim", "hint").expanding(across: true).aligned(.start)
    private let last = Label().styled("dim", "hint").aligned(.end)
    private let present = Label().width(characters: 34)
    private let unit: WalkText.Unit

    /// Creates the sums of one kind of span.
    init(_ unit: WalkText.Unit) {
        self.unit = unit
        super.init(.down, spacing: 4)
        append(Label(unit.heading).styled("heading"))
        for view in [bars, Box(.across, spacing: 8, [first, last]), present] { append(view) }
        hidden()
    }

    /// Shows spans, the present one last. Sums without a walk are hidden.
    func show(_ spans: [WalkTotals.Span]) {
        isVisible = spans.contains { $0.walksCount.value > 0 }
        guard isVisible, let present = spans.last, let first = spans.first else { return }
        bars.named(unit.heading).described(WalkText.list(of: spans, by: unit))
        bars.show(spans.map(\.distanceMetres.value))
        self.first.text = unit.name(of: first)
        last.text = unit.name(of: present)
        self.present.text = unit.present(WalkText.sum(present))
    }
}
