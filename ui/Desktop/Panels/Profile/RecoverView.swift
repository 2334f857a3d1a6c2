import Contract
import ControlAPI
import GtkKit
import NodeAPI
import PanelKit

/// The page on which a person comes back by the recovery words: nine fields, and then the search.
@MainActor
final class RecoverView: ReturnView {
    private let node: any NodeConnection
    private let entries: [Entry]
    private var report: RecoveryReport?

    /// Words in one row of the grid.
    private static let columns: Int32 = 3
    private static let wordsCount = 9

    init(node: any NodeConnection) {
        self.node = node
        entries = (1...Self.wordsCount).map { Entry(width: 6).named(localized("Word \($0)")) }
        let grid = Grid(columnSpacing: 18, rowSpacing: 8)
        for (index, entry) in entries.enumerated() {
            let label = Label("\(index + 1).").labels(entry)
            let position = Int32(clamping: index)
            grid.attach(
                Box(.across, spacing: 6, [label, entry]), column: position % Self.columns,
                row: position / Self.columns)
        }
        super.init(
            Form(
                title: localized("Come back to Waggle"),
                sentence: localized(
                    "Type your nine recovery words in their order. What you share with mates comes "
                        + "back from their devices."),
                begin: localized("Bring me back"), again: localized("Other words…")),
            fields: grid.aligned(.centre))
        for (index, entry) in entries.enumerated() {
            entry.onChange { [weak self] in self?.changed(index) }
            entry.onEnter { [weak self] in self?.entered(index) }
        }
        update()
    }

    /// Whether the page has something to show: the search, or what is still to come back.
    static func isWanted(_ report: RecoveryReport?) -> Bool {
        report.map { $0.stage == .searching || $0.stage == .regaining } ?? false
    }

    /// Shows how far the node is; nil before it was asked.
    func show(_ report: RecoveryReport?) {
        if report?.stage != self.report?.stage { leaveFields() }
        self.report = report
        update()
    }

    override var search: Search? {
        guard let report, Self.isWanted(report) else { return nil }
        let isSearching = report.stage == .searching
        return Search(
            title: isSearching ? localized("Looking for you") : localized("You are back"),
            sentence: report.detail.string, fault: report.problem?.string,
            mayTypeAgain: isSearching)
    }

    override var isComplete: Bool { !words.contains(where: \.isEmpty) }

    override func send() async throws {
        let text = try Text<1, 512>(words.joined(separator: " "), field: "words")
        _ = try await node.call(NodeCommands.beginRecovery, RecoveryStart(words: text))
        for entry in entries { entry.text = "" }
    }

    override func focusFields() { entries.first?.grabFocus() }

    /// Moves the focus to the word that cannot be one.
    override func focus(on fault: CommandFault) {
        let number = fault.field.flatMap { Int($0.drop { !$0.isNumber }) } ?? 0
        if entries.indices.contains(number - 1) { entries[number - 1].grabFocus() }
    }

    private var words: [String] { entries.map { $0.text.trimmed.lowercased() } }

    /// Spreads words that were pasted together over the fields.
    private func changed(_ index: Int) {
        let parts = entries[index].text.split { $0.isWhitespace || $0 == "-" }.map(String.init)
        if parts.count > 1 {
            for (part, entry) in zip(parts, entries[index...]) { entry.text = part }
        }
        changed()
    }

    private func entered(_ index: Int) {
        if index + 1 < entries.count { entries[index + 1].grabFocus() } else { press() }
    }
}
