internal import PluginKit

/// My location as it was set or cleared last, on any of my devices.
struct SetPlace: Sendable {
    /// The location; nil if it was cleared.
    let fix: Fix?
    /// The time at which it was set or cleared.
    let at: Timestamp
    /// The device that did; nil in a record of an older version.
    let device: DeviceID?

    /// Reads a row of the table.
    init(_ row: Row) {
        at = Timestamp(milliseconds: row.integer("at_ms") ?? 0)
        device = row.device("device")
        if let latitude = row.real("latitude"), let longitude = row.real("longitude"),
            let point = try? Point(latitude: latitude, longitude: longitude)
        {
            fix = Fix(
                point: point, accuracyMetres: row.real("accuracy_metres"),
                at: row.integer("at_ms").map { Timestamp(milliseconds: $0) })
        } else {
            fix = nil
        }
    }

    /// The messages that tell a mate, in order.
    var messages: [LocationMessage] { fix.map { [.fix($0)] } ?? [.goneSince(at), .gone] }
}
