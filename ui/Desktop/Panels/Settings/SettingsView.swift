import Contract
import GtkKit
import NodeAPI
import PanelKit

/// The settings as rows, each with a control for its value.
final class SettingsView: Box {
    /// Called with a name and a value when the user sets one.
    var onSet: @MainActor (_ name: String, _ value: String) -> Void = { _, _ in }

    private let list = RowList()
    private var rows: [String: SettingRow] = [:]

    /// Creates a view without settings.
    init() {
        super.init(.down, spacing: 6)
        append(list)
    }

    /// Shows these settings. A row that stays keeps what is typed in it.
    func show(_ settings: [Setting]) {
        let wanted = settings.map { setting -> SettingRow in
            let row = rows[setting.name.string] ?? makeRow(setting)
            row.show(setting)
            return row
        }
        list.replaceRows(with: wanted)
    }

    /// Shows in the row of a setting why its value was refused; nil removes the sentence.
    func setFault(_ sentence: String?, of name: String) { rows[name]?.setFault(sentence) }

    private func makeRow(_ setting: Setting) -> SettingRow {
        let name = setting.name.string
        let row = SettingRow(setting) { [weak self] in self?.onSet(name, $0) }
        rows[name] = row
        return row
    }
}

/// One setting: its effect, and a list of its values or a line for it.
final class SettingRow: ActionRow {
    private let choices: [String]
    private let list: DropDown
    private let line = Entry(width: 11)
    /// The values that a line may have, as a sentence.
    private let allowed: String
    /// The value of the node; a control that shows it sets nothing.
    private var value = ""

    /// Creates the row of a setting.
    init(_ setting: Setting, onSet: @escaping @MainActor (String) -> Void) {
        choices = setting.choices.map(\.string)
        list = DropDown(choices)
        allowed = choices.isEmpty ? localized("Allowed: \(setting.allowed).") : ""
        super.init(setting.help.string, subtitle: allowed)
        let control = choices.isEmpty ? line : list
        addSuffix(control.named(setting.help.string))
        list.onChange { [weak self] in
            guard let self, choices.indices.contains(list.selection) else { return }
            let chosen = choices[list.selection]
            if chosen != value { onSet(chosen) }
        }
        line.onEnter { [weak self] in
            if let self { onSet(line.text) }
        }
    }

    /// Shows why the value was refused in place of what is allowed; nil shows that again.
    func setFault(_ sentence: String?) { subtitle = sentence ?? allowed }

    /// Shows the value that the node has now.
    func show(_ setting: Setting) {
        guard setting.value.string != value else { return }
        value = setting.value.string
        line.text = value
        if let index = choices.firstIndex(of: value) { list.selection = index }
    }
}
