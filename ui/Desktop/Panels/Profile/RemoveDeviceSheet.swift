import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit

/// The sheet that asks before a device is removed. Its button is red. It has a field for the
/// recovery words if this device may not remove the other one alone.
@MainActor
final class RemoveDeviceSheet: Sheet {
    /// Called when the sheet is finished.
    var onDone: @MainActor () -> Void = {}

    private let node: any NodeConnection
    private let device: Key
    private let cancel = Button(localized("Cancel"))
    private let remove = Button(localized("Remove device")).destructive()
    private let words: Entry?

    init(
        node: any NodeConnection, device: DeviceList.Device, name: String, consequences: String
    ) {
        self.node = node
        self.device = device.device
        words =
            device.outranked == nil
            ? nil : Entry(width: 40).named(localized("Your nine recovery words"))
        super.init(title: localized("Remove the device \(name)?"))
        append(Label(consequences).width(characters: 40))
        if let words {
            append(Label(localized("Your nine recovery words")).labels(words))
            append(words)
            words.onChange { [weak self] in self?.check() }
        }
        append(faultView)
        setButtons([cancel, remove])
        cancel.onClick { [weak self] in self?.onDone() }
        remove.onClick { [weak self] in self?.submit() }
        check()
    }

    /// Moves the keyboard focus to the words, or to the safe button.
    func focusFirst() {
        if let words { words.grabFocus() } else { cancel.grabFocus() }
    }

    private func check() { remove.isEnabled = words?.text.trimmed.isEmpty != true }

    private func submit() {
        remove.isEnabled = false
        Task {
            do {
                _ = try await node.call(
                    DeviceCommands.remove,
                    RemoveDevice(
                        device: NameOrKey(device), yes: true,
                        words: words.map { try Text($0.text.trimmed, field: "words") }))
                onDone()
            } catch {
                setFault(CommandFault(error).shown(labels: ["words": localized("The words")]))
                check()
            }
        }
    }
}
