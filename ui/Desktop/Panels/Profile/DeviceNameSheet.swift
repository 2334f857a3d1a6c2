import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit

/// The sheet for the name of one of the user's devices.
@MainActor
final class DeviceNameSheet: Sheet {
    /// Called when the sheet is finished.
    var onDone: @MainActor () -> Void = {}

    private let node: any NodeConnection
    private let device: Key
    private let entry = Entry(width: 24).named(localized("Name of the device"))

    init(node: any NodeConnection, device: DeviceList.Device) {
        self.node = node
        self.device = device.device
        super.init(title: localized("Name of the device"))
        entry.text = device.name?.string ?? ""
        append(Label(localized("Only your own devices see it.")).width(characters: 40))
        append(entry)
        append(faultView)
        let save = Button(localized("Save")).suggested()
        setButtons([Button(localized("Cancel")) { [weak self] in self?.onDone() }, save])
        entry.onEnter { [weak self] in self?.submit() }
        save.onClick { [weak self] in self?.submit() }
    }

    /// Moves the keyboard focus to the name.
    func focusFirst() { entry.grabFocus() }

    private func submit() {
        Task {
            do {
                _ = try await node.call(
                    DeviceCommands.rename,
                    RenameDevice(
                        device: NameOrKey(device),
                        name: DeviceName(entry.text.trimmed, field: "name")))
                onDone()
            } catch {
                setFault(CommandFault(error).shown(labels: ["name": localized("The name")]))
            }
        }
    }
}
