internal import FeaturesAPI
internal import PluginKit

/// The names of this person's devices. They are records of the own space, so only these devices see
/// them: the entries that list a device, which others see, have no name.
struct Devices: Feature {
    let context: PluginContext

    static let manifest = Manifest(
        id: CoreFeatures.id, version: 1, collections: [name],
        events: [DeviceEvents.changed.declaration])

    /// The commands need the engine, so the node has them.
    static let commands: [CommandHandler] = []

    static let nameBytesMax = 160

    static let name = RecordCollection(
        "neighbours.device_name/1", table: "neighbours_device_name", spaces: [.own],
        fields: [
            .init(1, "device", .key, merge: .append),
            .init(2, "name", .text(bytesMax: nameBytesMax), writer: .owner),
            .init(3, "at_ms", .integer(RecordTimes.milliseconds), writer: .owner),
        ])

    /// Returns the names by device; the newest counts.
    func names() async throws -> [DeviceID: String] {
        let rows = try await context.replica.rows(
            "SELECT device, name FROM neighbours_device_name ORDER BY at_ms")
        var names: [DeviceID: String] = [:]
        for row in rows {
            guard let device = row.device("device"),
                let name = row.text("name"), let checked = try? DeviceName(name)
            else { continue }
            names[device] = checked.string
        }
        return names
    }

    /// Stores a name in place of the earlier one.
    func rename(_ device: DeviceID, to name: String) async throws {
        let known = try await context.replica.rows(
            "SELECT entity FROM neighbours_device_name WHERE device = ?", [.bytes(device.bytes)]
        ).compactMap { $0.entity("entity") }
        let fields: [String: Value] = [
            "name": .text(name), "at_ms": .integer(context.now.milliseconds),
        ]
        guard known.isEmpty else {
            try await context.author(
                known.map { .set(collection: Self.name.name, entity: $0, fields: fields) },
                in: .own(context.me))
            return
        }
        try await context.author(
            [
                .create(
                    collection: Self.name.name, nonce: context.random.nonce(),
                    fields: fields.merging(["device": .bytes(device.bytes)]) { _, new in new })
            ], in: .own(context.me))
    }

    /// Returns the event that makes followers list the devices again.
    func events(after changes: [RecordChange]) async throws -> [EventMessage] {
        [EventMessage(DeviceEvents.changed, DeviceChange())]
    }
}
