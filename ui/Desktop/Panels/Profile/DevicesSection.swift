import Contract
import FeaturesAPI
import GtkKit
import PanelKit

/// The user's devices on the profile page: their names, when they were seen, and the ways to name
/// and to remove them.
@MainActor
final class DevicesSection: Box {
    private let context: PanelContext
    private let list = RowList().role(.list).named(localized("Your devices"))
    private let locked = Label().styled("fault").hidden()
    private var shown: DeviceList?
    private var shownStates: [String] = []

    /// - Parameter add: the widget that adds a device, below the list; nil if there is none.
    init(_ context: PanelContext, adding add: Widget? = nil) {
        self.context = context
        super.init(.down, spacing: 8)
        append(Label(localized("Your devices")).styled("heading"))
        append(locked)
        append(list)
        if let add { append(add) }
    }

    /// Shows the devices; nothing if they are not known yet.
    func show(_ devices: DeviceList?, now: Timestamp) {
        guard let devices else { return }
        let states = devices.devices.map { DeviceText.state(of: $0, now: now) }
        guard devices != shown || states != shownStates else { return }
        (shown, shownStates) = (devices, states)
        locked.text = devices.locked.map { localized($0.sentence) } ?? ""
        locked.isVisible = devices.locked != nil
        list.replaceRows(with: devices.devices.map { row(for: $0, in: devices, now: now) })
    }

    private func row(
        for device: DeviceList.Device, in devices: DeviceList, now: Timestamp
    ) -> ActionRow {
        let name = DeviceText.name(of: device, among: devices.devices)
        let row = ActionRow(name, subtitle: DeviceText.state(of: device, now: now))
        let rename = Button(localized("Rename…")) { [weak self] in self?.rename(device) }
        row.addSuffix(rename.named(localized("Rename \(name)")))
        guard !device.isThis, devices.locked == nil else { return row.stackedIfLarge() }
        let remove = Button(localized("Remove device…")) { [weak self] in
            self?.askToRemove(device, in: devices)
        }
        row.addSuffix(remove.named(localized("Remove \(name)")))
        return row.stackedIfLarge()
    }

    private func rename(_ device: DeviceList.Device) {
        let sheet = DeviceNameSheet(node: context.node, device: device)
        sheet.onDone = { [context, weak sheet] in sheet.map(context.dismiss) }
        context.present(sheet)
        sheet.focusFirst()
    }

    private func askToRemove(_ device: DeviceList.Device, in devices: DeviceList) {
        let name = DeviceText.name(of: device, among: devices.devices)
        let sheet = RemoveDeviceSheet(
            node: context.node, device: device, name: name,
            consequences: DeviceText.consequences(of: devices, for: device))
        sheet.onDone = { [context, weak sheet] in sheet.map(context.dismiss) }
        context.present(sheet)
        sheet.focusFirst()
    }
}
