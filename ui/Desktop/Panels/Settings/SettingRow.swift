import Contract
import GtkKit
import NodeAPI
import PanelKit

/// One setting: its effect, and the control for its value.
@MainActor
final class SettingRow: ActionRow {
    /// The control for a value.
    private enum Control {
        case line(Entry)
        case onOff(Switch)
        case list(DropDown, choices: [String])
        case file(choose: Button, remove: Button)

        @MainActor
        init(for setting: Setting) {
            let (name, choices) = (setting.name.string, setting.choices.map(\.string))
            self =
                if setting.isFile {
                    .file(
                        choose: Button(localized("Choose…")),
                        remove: Button(icon: "edit-clear-symbolic", name: localized("Use no file")))
                } else if choices.isEmpty {
                    .line(Entry(width: 11))
                } else if choices == ["on", "off"] {
                    .onOff(Switch())
                } else {
                    .list(
                        DropDown(choices.map { SettingText.label(of: $0, in: name) }),
                        choices: choices)
                }
        }
    }

    private let name: String
    private let control: Control
    private let onSet: @MainActor (String) -> Void
    private let opener = FileOpener()
    private let saver = FileSaver()
    /// The value of the node.
    private var value = ""
    /// Whether the control is being set to the value of the node, which sets nothing there.
    private var isShowing = false
    private var fault: String?
    private var detail: String

    /// Creates the row of a setting.
    init(_ setting: Setting, onSet: @escaping @MainActor (String) -> Void) {
        name = setting.name.string
        control = Control(for: setting)
        self.onSet = onSet
        detail = SettingText.detail(of: setting)
        super.init(SettingText.title(of: setting), subtitle: detail)
        tooltip(setting.help.string).stackedIfLarge()
        switch control {
        case .line(let line):
            addSuffix(line.named(title))
            line.onEnter { [weak self] in self?.onSet(line.text) }
        case .onOff(let onOff):
            addMainSuffix(onOff.named(title))
            onOff.onTurn { [weak self] in self?.onSet($0 ? "on" : "off") }
        case .list(let list, let choices):
            addSuffix(list.named(title))
            list.onChange { [weak self] in
                guard let self, !isShowing, choices.indices.contains(list.selection) else { return }
                self.onSet(choices[list.selection])
            }
        case .file(let choose, let remove):
            addMainSuffix(choose.named(localized("Choose: \(title)")))
            addSuffix(remove)
            choose.onClick { [weak self] in self?.choose() }
            remove.onClick { [weak self] in self?.onSet(FileSetting.none) }
        }
    }

    /// Shows why the value was refused in place of the other details; nil shows those again. A
    /// refused choice goes back to the value of the node, and a typed line stays to be corrected.
    func setFault(_ sentence: String?) {
        fault = sentence
        subtitle = fault ?? detail
        guard fault != nil else { return }
        if case .line = control { return }
        showValue()
    }

    /// Shows what the value means now.
    func setDetail(_ sentence: String) {
        detail = sentence
        subtitle = fault ?? detail
    }

    /// Shows the value that the node has now.
    func show(_ setting: Setting) {
        guard setting.value.string != value else { return }
        value = setting.value.string
        showValue()
    }

    /// Sets the control to the value of the node.
    private func showValue() {
        isShowing = true
        defer { isShowing = false }
        switch control {
        case .line(let line): line.text = value
        case .onOff(let onOff): onOff.isOn = value == "on"
        case .list(let list, let choices): list.selection = choices.firstIndex(of: value) ?? -1
        case .file(_, let remove):
            let path = FileSetting.path(value)
            remove.isVisible = path != nil
            setDetail(path ?? SettingText.noFile(of: name))
        }
    }

    private func choose() {
        guard name != CalendarFileSetting.name else {
            return saver.ask(title: title, name: "waggle.\(CalendarFileSetting.ending)") {
                [weak self] in self?.onSet($0)
            }
        }
        opener.ask(title: title, ending: SettingText.fileEnding(of: name)) { [weak self] in
            self?.onSet($0)
        }
    }
}
