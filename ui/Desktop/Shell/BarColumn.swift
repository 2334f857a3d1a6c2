import GtkKit
import PanelKit

/// The bars of all panels at the top of the window, questions first.
@MainActor
final class BarColumn: Box {
    /// A bar that is shown, with the titles of its buttons.
    private struct Shown {
        let bar: Bar
        let answers: Answers
    }

    /// The actions of a bar's buttons now. The buttons stay while their titles stay.
    private final class Answers {
        var actions: [PanelAction] = []
    }

    private var shown: [String: Shown] = [:]

    /// Creates an empty column.
    init() {
        super.init(.down)
    }

    /// Shows the bars of all panels; bars that stay keep their widgets and the focus.
    func show(_ panels: [any Panel]) {
        var bars: [(id: String, bar: PanelBar)] = []
        for panel in panels {
            bars += panel.bars.map { ("\(type(of: panel).id)/\($0.id)", $0) }
        }
        // A question comes before what is only to be known; the column may be scrolled.
        let isQuestion = { (bar: PanelBar) in bar.answers.contains { $0.isSuggested } }
        bars = bars.filter { isQuestion($0.bar) } + bars.filter { !isQuestion($0.bar) }
        shown = shown.filter { id, _ in bars.contains { $0.id == id } }
        for (id, bar) in bars { show(bar, as: id) }
        replaceChildren(with: bars.compactMap { shown[$0.id]?.bar })
    }

    private func show(_ content: PanelBar, as id: String) {
        let known = shown[id] ?? Shown(bar: Bar(icon: content.icon), answers: Answers())
        shown[id] = known
        known.bar.say(content.title, detail: content.detail)
        let isSame = known.answers.actions.map(\.title) == content.answers.map(\.title)
        known.answers.actions = content.answers
        guard !isSame else { return }
        let answers = known.answers
        known.bar.setButtons(
            content.answers.indices.map { index in
                let (title, isSuggested) =
                    (content.answers[index].title, content.answers[index].isSuggested)
                return PanelAction(title, isSuggested: isSuggested) { [weak answers] in
                    guard let answers, answers.actions.indices.contains(index) else { return }
                    answers.actions[index].perform()
                }.makeButton()
            })
    }
}
