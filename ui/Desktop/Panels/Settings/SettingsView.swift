import Contract
import GtkKit
import NodeAPI
import PanelKit

/// Settings as rows, each with a control for its value, and rows of other things after them.
final class SettingsView: Box {
    /// Called with a name and a value when the user sets one.
    var onSet: @MainActor (_ name: String, _ value: String) -> Void = { _, _ in }

    private let list = RowList()
    private let others: [ActionRow]
    private let isShown: @MainActor (_ name: String) -> Bool
    private var rows: [String: SettingRow] = [:]

    /// Creates a view without settings.
    /// - Parameters:
    ///   - title: the name of the list.
    ///   - others: the rows after the settings.
    ///   - isShown: whether a setting belongs in this view.
    init(
        _ title: String, others: [ActionRow] = [],
        isShown: @escaping @MainActor (_ name: String) -> Bool
    ) {
        self.others = others
        self.isShown = isShown
        super.init(.down, spacing: 6)
        append(list.role(.list).named(title))
    }

    /// Shows those of these settings that belong in this view. A row that stays keeps what is
    /// typed in it.
    func show(_ settings: [Setting]) {
        let wanted = settings.filter { isShown($0.name.string) }.map { setting -> SettingRow in
            let row = rows[setting.name.string] ?? makeRow(setting)
            row.show(setting)
            return row
        }
        list.replaceRows(with: wanted + others)
    }

    /// Whether there is nothing to show.
    var isEmpty: Bool { list.rows.isEmpty }

    /// Shows in the row of a setting why its value was refused; nil removes the sentence.
    func setFault(_ sentence: String?, of name: String) { rows[name]?.setFault(sentence) }

    /// Shows in the row of a setting what it means now.
    func setDetail(_ sentence: String, of name: String) { rows[name]?.setDetail(sentence) }

    private func makeRow(_ setting: Setting) -> SettingRow {
        let name = setting.name.string
        let row = SettingRow(setting) { [weak self] in self?.onSet(name, $0) }
        rows[name] = row
        return row
    }
}
