import GtkKit
import PanelKit

/// The bars of all panels at the top of the window, questions first. Bars of one line share a line
/// if the window is wide enough.
@MainActor
final class BarColumn: Box {
    /// A bar that is shown, with the titles of its buttons.
    private struct Shown {
        let bar: Bar
        let answers: Answers
    }

    /// The actions of a bar's buttons now. The buttons stay while their texts stay.
    private final class Answers {
        var actions: [PanelAction] = []
    }

    private var shown: [String: Shown] = [:]
    /// The bars that share a line.
    private let line = Box(.across).styled("bar-line")
    /// The width that there is, in pixels; nil before the window is laid out.
    private var width: Double?

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
        shown = shown.filter { id, _ in bars.contains { $0.id == id } }
        for (id, bar) in bars { show(bar, as: id) }
        // A question comes before what is only to be known; the column may be scrolled.
        let questions = bars.filter { $0.bar.isQuestion }
        let short = bars.filter { !$0.bar.isQuestion && $0.bar.detail.isEmpty }
        let long = bars.filter { !$0.bar.isQuestion && !$0.bar.detail.isEmpty }
        place(
            (questions + long).compactMap { shown[$0.id]?.bar },
            inLine: short.compactMap { shown[$0.id]?.bar })
    }

    /// Divides this width, in pixels.
    func divide(width: Double) {
        self.width = width
        divide()
    }

    /// Places bars below each other, and below them those that share a line. A bar that has moved
    /// from one to the other leaves the one first.
    private func place(_ bars: [Bar], inLine short: [Bar]) {
        line.replaceChildren(
            with: line.children.filter { child in short.contains { $0 === child } })
        replaceChildren(with: short.isEmpty ? bars : bars + [line])
        line.replaceChildren(with: short)
        for bar in short { bar.expanding(across: true) }
        divide()
    }

    /// Puts the bars of one line beside each other, or below each other if they need more width.
    private func divide() {
        guard let width else { return }
        let needed = line.children.reduce(0) { $0 + $1.naturalWidth }
        line.axis = needed <= width ? .across : .down
        line.setStyle("across", on: line.axis == .across)
    }

    private func show(_ content: PanelBar, as id: String) {
        let known = shown[id] ?? Shown(bar: Bar(icon: content.icon), answers: Answers())
        shown[id] = known
        known.bar.say(content.title, detail: content.detail)
        let isSame =
            known.answers.actions.map(\.title) == content.answers.map(\.title)
            && known.answers.actions.map(\.name) == content.answers.map(\.name)
        known.answers.actions = content.answers
        guard !isSame else { return }
        let answers = known.answers
        known.bar.setButtons(
            content.answers.indices.map { index in
                var action = content.answers[index]
                action.perform = { [weak answers] in
                    guard let answers, answers.actions.indices.contains(index) else { return }
                    answers.actions[index].perform()
                }
                return action.makeButton()
            })
    }
}

extension PanelBar {
    /// Whether the user is asked for an answer, and not only told something.
    fileprivate var isQuestion: Bool { answers.contains { $0.isSuggested } }
}
