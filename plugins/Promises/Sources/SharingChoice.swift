internal import PluginKit

/// What I said last of being shown for a promise, on whichever of my devices.
struct SharingChoice: Hashable, Sendable {
    /// Whether I want to be shown.
    var isWanted = true
    /// Which device goes on since, though another one had set out.
    var takeover: Takeover?

    /// That a device shows where I am in place of the one that set out.
    struct Takeover: Hashable, Sendable {
        let device: DeviceID
        /// The time of the promise for which it does, in milliseconds since 1970: for another one
        /// sets out anew.
        let atMs: Int64
        /// When this was said, in milliseconds since 1970.
        let saidMs: Int64
    }
}

extension Promises {
    /// Whether it is this device that shows where I am: it set out, or took over last from one that
    /// had. A departure that names no device counts as its own.
    func isShower(of promise: Promise, _ me: Participant) -> Bool {
        guard let shower = shower(of: promise, me) else { return true }
        return isThis(shower.device, atMs: shower.atMs)
    }

    /// The device that shows where I am, and when it began, in milliseconds since 1970.
    private func shower(
        of promise: Promise, _ me: Participant
    ) -> (device: DeviceID, atMs: Int64)? {
        if let takeover = choices[promise.id]?.takeover, takeover.atMs == promise.atMs {
            return (takeover.device, takeover.saidMs)
        }
        guard let device = me.departedDevice, let departedMs = me.departedMs else { return nil }
        return (device, departedMs)
    }

    /// Whether a device was this one at a moment, also under an earlier key: where that is in use
    /// yet, as after a backup was restored beside the device it is of, it is another one's since
    /// this one began to write under its own.
    private func isThis(_ device: DeviceID, atMs: Int64) -> Bool {
        device == context.device
            || context.formerDevices.contains(device) && atMs < keyBeganMs ?? .max
    }

    /// Keeps what I said: the last word counts, from whichever device. Where this one is to go on
    /// and another key set out, it says so, also where that was its own: it may be in use yet.
    func choose(_ isWanted: Bool, for promise: Promise) async throws {
        var fields: [String: Value] = [
            "promise": .bytes(promise.id.bytes), "is_wanted": .boolean(isWanted),
        ]
        if isWanted, let me = promise.person(context.me), let shower = shower(of: promise, me),
            shower.device != context.device
        {
            fields["device"] = .bytes(context.device.bytes)
            fields["at_ms"] = .integer(promise.atMs)
        }
        try await context.replica.author(
            [
                .create(
                    collection: Self.sharing.name, nonce: context.random.nonce(), fields: fields)
            ], in: .own(context.me))
    }

    /// Reads what I said of promises.
    func readChoices(of promises: [Promise]) async throws -> [SpaceID: SharingChoice] {
        try await readKeyBeganMs()
        var choices: [SpaceID: SharingChoice] = [:]
        // Of two words at one moment the one that shows less counts.
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
                device: device, atMs: atMs, saidMs: stamp >> 16)
        }
        return choices
    }

    /// When this device began to write under its key, where it wrote under another one before.
    private func readKeyBeganMs() async throws {
        guard keyBeganMs == nil, !context.formerDevices.isEmpty else { return }
        keyBeganMs = try await context.replica.rows(
            """
            SELECT min(b.stamp) AS stamp FROM waggle_log l
            JOIN waggle_batch b ON b.batch = (l.log << 40) + 1 WHERE l.device = ?
            """, [.bytes(context.device.bytes)]
        ).first?.integer("stamp").map { $0 >> 16 }
    }
}
