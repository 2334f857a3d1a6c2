import Contract
import FeaturesAPI
import PanelKit

/// The texts of the user's devices.
enum DeviceText {
    /// Returns a device's name, with the first digits of its key if it has none or shares it.
    static func name(of device: DeviceList.Device, among devices: [DeviceList.Device]) -> String {
        guard let name = device.name?.string else {
            return localized("Device \(device.suffix.string)")
        }
        let isShared = devices.count { $0.name?.string == name } > 1
        return isShared ? "\(name) · \(device.suffix.string)" : name
    }

    /// Returns the line below a device's name.
    static func state(of device: DeviceList.Device, now: Timestamp) -> String {
        if device.isThis { return localized("This device") }
        if device.linked { return localized("Connected now") }
        guard let seen = device.seenMs else { return localized("Not seen yet") }
        return localized("Last seen \(AgeText.ago(since: seen, now: now))")
    }

    /// Returns what the removal of a device does, with what the user should know before.
    static func consequences(of list: DeviceList, for device: DeviceList.Device) -> String {
        let effect = localized(
            "It gets nothing more from you or your mates. What you wrote on it so far stays.")
        let more = [list.caution, device.outranked].compactMap { $0.map { localized($0.sentence) } }
        return ([effect] + more).joined(separator: " ")
    }
}
