import Contract
import ControlAPI
import GtkKit
import NodeAPI
import PanelKit

/// The sheet that connects to a person by the address of their device, for a network that hides
/// devices from each other.
@MainActor
final class AddressSheet: Sheet {
    /// Called when the sheet is finished.
    var onDone: @MainActor () -> Void = {}

    private let node: any NodeConnection
    private let entry = Entry(width: 26, placeholder: "192.168.1.20:40000").named(
        localized("Address"))
    private let add = Button(localized("Add")).suggested()

    init(node: any NodeConnection) {
        self.node = node
        super.init(title: localized("Add by address"))
        append(
            Label(
                localized(
                    "Some networks hide devices from each other. Type the address that the other "
                        + "device shows with “waggle status”.")
            ).width(characters: 40))
        append(Label(localized("Address")).labels(entry))
        append(entry)
        append(faultView)
        setButtons([Button(localized("Cancel")) { [weak self] in self?.onDone() }, add])
        entry.onChange { [weak self] in self?.update() }
        entry.onEnter { [weak self] in self?.submit() }
        add.onClick { [weak self] in self?.submit() }
        update()
    }

    /// Moves the keyboard focus to the address.
    func focusFirst() { entry.grabFocus() }

    private func update() { add.isEnabled = !entry.text.trimmed.isEmpty }

    private func submit() {
        let text = entry.text.trimmed
        guard !text.isEmpty else { return }
        Task {
            do {
                _ = try await node.call(
                    NodeCommands.addPeer, PeerAddress(address: Text(text, field: "address")))
                onDone()
            } catch {
                setFault(
                    CommandFault(error).sentence(labels: ["address": localized("The address")]))
            }
        }
    }
}
