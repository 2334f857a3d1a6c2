internal import PluginKit

/// My last choice about sharing my location for a promise, from any of my devices.
struct SharingChoice: Hashable, Sendable {
    /// Whether I want to share my location.
    var isWanted = true
    /// The device that continues, if another one had set out.
    var takeover: Takeover?

    /// A device that sends my location in place of the one that set out.
    struct Takeover: Hashable, Sendable {
        let device: DeviceID
        /// The time of the promise when it took over. If the promise is moved, a device sets out
        /// anew.
        let at: Timestamp
        /// The time when it took over.
        let said: Timestamp
    }
}

extension Promises {
    /// Whether this device sends my location: it set out, or was the last to take over from the one
    /// that did. A departure that names no device counts as this device's own.
    func isShower(of promise: Promise, _ me: Participant) -> Bool {
        guard let shower = shower(of: promise, me) else { return true }
        return isThis(shower.device, since: shower.began)
    }

    /// The device that sends my location; nil if none set out.
    func showingDevice(of promise: Promise) -> DeviceID? {
        promise.person(context.me).flatMap { shower(of: promise, $0)?.device }
    }

    /// Returns the device that sends my location, and the time when it began to.
    private func shower(
        of promise: Promise, _ me: Participant
    ) -> (device: DeviceID, began: Timestamp)? {
        if let takeover = choices[promise.id]?.takeover, takeover.at == promise.at {
            return (takeover.device, takeover.said)
        }
        guard let device = me.departedDevice, let departed = me.departed else { return nil }
        return (device, departed)
    }

    /// Whether a device key belonged to this device at a moment. An earlier key belongs to it only
    /// until it began to write under its current key: after that another device uses the earlier
    /// one, for example because a backup was restored beside the original device.
    private func isThis(_ device: DeviceID, since began: Timestamp) -> Bool {
        device == context.device
            || context.formerDevices.contains(device) && (keyBegan.map { began < $0 } ?? true)
    }

    /// Stores my choice; the last one counts, from any device. If this device is to continue and
    /// another key set out, the record names this device. That includes an earlier key of this
    /// device, because another device may still use it.
    func choose(_ isWanted: Bool, for promise: Promise) async throws {
        var fields: [String: Value] = [
            "promise": .bytes(promise.id.bytes), "is_wanted": .boolean(isWanted),
        ]
        if isWanted, let me = promise.person(context.me), let shower = shower(of: promise, me),
            shower.device != context.device
        {
            fields["device"] = .bytes(context.device.bytes)
            fields["at_ms"] = .integer(promise.at.milliseconds)
        }
        try await context.replica.author(
            [
                .create(
                    collection: Self.sharing.name, nonce: context.random.nonce(), fields: fields)
            ], in: .own(context.me))
    }

    /// Reads my choices for promises.
    func readChoices(of promises: [Promise]) async throws -> [SpaceID: SharingChoice] {
        try await readKeyBegan()
        var choices: [SpaceID: SharingChoice] = [:]
        // If two choices have the same time, the one that shares less counts.
        let rows = try await context.replica.rows(
            """
            SELECT promise, is_wanted, device, at_ms, stamp FROM promises_sharing
            WHERE promise IN (\(promises.map { _ in "?" }.joined(separator: ", ")))
            ORDER BY stamp, is_wanted DESC, entity
            """, promises.map { .bytes($0.id.bytes) })
        for row in rows {
            guard let id = row.bytes("promise").flatMap({ SpaceID(bytes: $0) }) else { continue }
            choices[id, default: SharingChoice()].isWanted = row.isTrue("is_wanted")
            guard let device = row.device("device"), let atMs = row.integer("at_ms"),
                let stamp = row.integer("stamp")
            else { continue }
            choices[id]?.takeover = SharingChoice.Takeover(
                device: device, at: Timestamp(milliseconds: atMs),
                said: Timestamp(milliseconds: stamp >> 16))
        }
        return choices
    }

    /// Reads the time when this device began to write under its key, if it wrote under another one
    /// before.
    private func readKeyBegan() async throws {
        guard keyBegan == nil, !context.formerDevices.isEmpty else { return }
        keyBegan = try await context.replica.rows(
            """
            SELECT min(b.stamp) AS stamp FROM waggle_log l
            JOIN waggle_batch b ON b.batch = (l.log << 40) + 1 WHERE l.device = ?
            """, [.bytes(context.device.bytes)]
        ).first?.integer("stamp").map { Timestamp(milliseconds: $0 >> 16) }
    }
}
