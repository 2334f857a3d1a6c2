import Contract
import ControlAPI
import GtkKit
import NodeAPI
import PanelKit

/// The page on which a person comes back by the recovery words: nine fields, and then the search.
@MainActor
final class RecoverView: Box {
    /// Called when the user leaves the page.
    var onLeave: @MainActor () -> Void = {}

    private let node: any NodeConnection
    private let title = Label("").styled("large-title").centred()
    private let sentence = Label().centred().width(characters: 60)
    private let grid = Grid(columnSpacing: 18, rowSpacing: 8)
    private let entries: [Entry]
    private let fault = Label().styled("fault").role(.alert).centred().hidden()
    private let spinner = Spinner().minimum(width: 32, height: 32)
    private let leave = Button("")
    private let begin = Button(localized("Bring me back"))
    private var report: RecoveryReport?
    /// Whether the fields are shown although the node searches already.
    private var typesAgain = false

    /// Words in one row of the grid.
    private static let columns: Int32 = 3
    private static let wordsCount = 9

    init(node: any NodeConnection) {
        self.node = node
        entries = (1...Self.wordsCount).map { Entry(width: 6).named(localized("Word \($0)")) }
        super.init(.down, spacing: 18)
        styled("page").aligned(.fill, .centre)
        for (index, entry) in entries.enumerated() {
            let label = Label("\(index + 1).").labels(entry)
            let place = Int32(clamping: index)
            grid.attach(
                Box(.across, spacing: 6, [label, entry]), column: place % Self.columns,
                row: place / Self.columns)
            entry.onChange { [weak self] in self?.changed(index) }
            entry.onEnter { [weak self] in self?.entered(index) }
        }
        for view in [
            title, sentence, grid.aligned(.centre), spinner.aligned(.centre), fault,
            Box(.across, spacing: 8, [leave, begin]).aligned(.centre),
        ] { append(view) }
        leave.onClick { [weak self] in self?.goBack() }
        begin.onClick { [weak self] in self?.press() }
        update()
    }

    /// Whether the page has something to show: the search, or what is still to come back.
    static func isWanted(_ report: RecoveryReport?) -> Bool {
        report.map { $0.stage == .searching || $0.stage == .regaining } ?? false
    }

    /// Shows how far the node is; nil before it was asked.
    func show(_ report: RecoveryReport?) {
        if report?.stage != self.report?.stage { typesAgain = false }
        self.report = report
        update()
    }

    /// Moves the keyboard focus to the first field, or to a button.
    func focusFirst() {
        if isTyping { entries.first?.grabFocus() } else { leave.grabFocus() }
    }

    private var isTyping: Bool { typesAgain || !Self.isWanted(report) }

    private var words: [String] { entries.map { $0.text.trimmed.lowercased() } }

    private func update() {
        let isTyping = isTyping
        grid.isVisible = isTyping
        spinner.isVisible = !isTyping
        spinner.isTurning = !isTyping
        leave.text = isTyping ? localized("Back") : localized("Later")
        begin.isVisible = isTyping || report?.stage == .searching
        begin.text = isTyping ? localized("Bring me back") : localized("Other words…")
        begin.setStyle("suggested-action", on: isTyping)
        begin.isEnabled = !isTyping || !words.contains(where: \.isEmpty)
        guard !isTyping, let report else { return sayForm() }
        title.text =
            report.stage == .searching ? localized("Looking for you") : localized("You are back")
        sentence.text = report.detail.string
        say(fault: report.problem?.string)
    }

    private func sayForm() {
        title.text = localized("Come back to Waggle")
        sentence.text = localized(
            "Type your nine recovery words in their order. What you share with mates comes back "
                + "from their devices.")
    }

    private func say(fault text: String?) {
        fault.text = text.map { "⚠ \($0)" } ?? ""
        fault.isVisible = text != nil
    }

    /// Spreads words that were pasted together over the fields.
    private func changed(_ index: Int) {
        let parts = entries[index].text.split { $0.isWhitespace || $0 == "-" }.map(String.init)
        if parts.count > 1 {
            for (part, entry) in zip(parts, entries[index...]) { entry.text = part }
        }
        say(fault: nil)
        update()
    }

    private func entered(_ index: Int) {
        if index + 1 < entries.count { entries[index + 1].grabFocus() } else { press() }
    }

    private func goBack() {
        guard typesAgain else { return onLeave() }
        typesAgain = false
        update()
    }

    private func press() {
        guard isTyping else {
            typesAgain = true
            update()
            return focusFirst()
        }
        guard begin.isEnabled else { return }
        begin.isEnabled = false
        Task {
            do {
                let text = try Text<1, 512>(words.joined(separator: " "), field: "words")
                _ = try await node.call(
                    NodeCommands.beginRecovery, RecoveryStart(words: text))
                for entry in entries { entry.text = "" }
                say(fault: nil)
            } catch {
                let reason = CommandFault(error)
                say(fault: reason.shown())
                focus(on: reason)
            }
            update()
        }
    }

    /// Moves the focus to the word that cannot be one.
    private func focus(on fault: CommandFault) {
        let place = fault.field.flatMap { Int($0.drop { !$0.isNumber }) } ?? 0
        if entries.indices.contains(place - 1) { entries[place - 1].grabFocus() }
    }
}
