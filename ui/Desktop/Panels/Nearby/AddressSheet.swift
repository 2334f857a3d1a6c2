import Contract
import ControlAPI
import GtkKit
import NodeAPI
import PanelKit

/// The sheet that connects to a person by the address of their device, for a network that hides
/// devices from each other.
@MainActor
final class AddressSheet: Sheet {
    /// Called when the sheet is finished; `true` if the address was added.
    var onDone: @MainActor (_ isSent: Bool) -> Void = { _ in }
    /// The text as it is now.
    var text: String { entry.text }

    private let node: any NodeConnection
    private let entry = Entry(width: 26, placeholder: "192.168.1.20:40000").named(
        localized("Address"))
    private let add = Button(localized("Add")).suggested()

    /// Creates a sheet.
    /// - Parameter text: the text that is shown first.
    init(node: any NodeConnection, text: String) {
        self.node = node
        super.init(title: localized("Add by address"))
        entry.text = text
        append(
            Label(
                localized(
                    "Some networks hide devices from each other. Type the address that the other "
                        + "device shows with “waggle status”.")
            ).width(characters: 40))
        append(Label(localized("Address")).labels(entry))
        append(entry)
        append(faultView)
        setButtons([Button(localized("Cancel")) { [weak self] in self?.onDone(false) }, add])
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
                onDone(true)
            } catch {
                setFault(
                    CommandFault(error).shown(labels: ["address": localized("The address")]))
            }
        }
    }
}
