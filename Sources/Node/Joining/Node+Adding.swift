internal import Discovery
internal import Identity
internal import Links
internal import Logging
internal import NodeAPI
internal import PluginHost
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// The side that shows a code. Nothing is written before a device has proven that it knows it.
extension Node {
    /// Performs `device add`.
    /// - Throws: ``CommandFault/refused(_:)`` if the person's record has no room, else why nothing
    ///   may be written here.
    func beginAdding() async throws -> DevicePairing {
        try requireSettledLogs()
        let record = await replica.personRecord(me) ?? identity.person
        guard record.devices.contains(device) else {
            throw CommandFault.refused("This device is not one of yours any more.")
        }
        guard try record.hasRoom(forDeviceOf: identity.key) else {
            throw CommandFault.refused(
                "The list of your devices is full: \(Limits.personDevicesMax) entries are the most."
            )
        }
        var generator = RandomNumbers(source: surroundings.random)
        adding.begin(JoinCode(using: &generator), now: clock.uptime, wallTime: clock.wallTime)
        publishPairing()
        return await pairing()
    }

    /// Performs `device cancel`.
    /// - Throws: ``CommandFault/notFound(_:)`` if no code is shown.
    func cancelAdding() throws -> Done {
        guard adding.finish(because: .cancelled) else {
            throw CommandFault.notFound("no code is shown here; 'waggle device add' shows one")
        }
        publishPairing()
        return Done()
    }

    /// Ends a code whose time is over, and tells how much a new device has received since the last
    /// time.
    func maintainPairing() async {
        await maintainRegaining()
        joining.reachedLimit = await limitOfReceiving()
        let isOver = adding.expire(now: clock.uptime)
        let progress = pairingProgress
        guard isOver || progress != joining.toldProgress else { return }
        joining.toldProgress = progress
        publishPairing()
    }

    /// The progress of the new device, on either side; nil if none is receiving.
    private var pairingProgress: Joining.Progress? {
        if let regained = recovery.regained, regained.isReceiving {
            return regained.joinedFrom.map { adder in
                .init(
                    batchesCount: links[adder]?.session.progress.here ?? 0, files: joining.files,
                    reachedLimit: joining.reachedLimit)
            }
        }
        guard let joiner = adding.joiner, joiner.isAdded, let active = links[joiner.device],
            active.peer.person == me
        else { return nil }
        return .init(
            batchesCount: active.session.progress.there, files: nil,
            reachedLimit: nil)
    }

    /// Returns the limit because of which this device cannot receive what is its person's; nil if
    /// there is room, or if it does not receive.
    private func limitOfReceiving() async -> StorageQuota.Limit? {
        guard let regained = recovery.regained, regained.isReceiving, regained.joinedFrom != nil
        else { return nil }
        let limits = Set(await replica.storage().full.map(\.limit))
        if let limit = [.disk, .total, .author].first(where: limits.contains) { return limit }
        // Content without room is requested again after a pause. Until then, its arrived bytes tell
        // that there is no room.
        guard joining.files?.missingCount ?? 0 > 0,
            let missing = try? await replica.missingOwnContent(countMax: 1).first,
            case .noRoom = try? await replica.arrivedBytes(of: missing.blob, in: missing.space)
        else { return nil }
        return .disk
    }

    /// Answers a device that asks whether a code is shown here. The answer to a wrong proof, to
    /// another code and to a second device is the same.
    /// - Throws: ``SyncFault/unexpectedMessage(_:)`` for a second question on the link.
    func answer(_ question: JoinQuestion, from device: DeviceID, id: UInt64) async throws {
        guard links[device]?.joining.hasAnswered == false else {
            throw SyncFault.unexpectedMessage("a second question about a joining code")
        }
        links[device]?.joining.hasAnswered = true
        let before = (isShown: adding.shown != nil, joiner: adding.joiner)
        let proof = adding.answer(question, from: device, to: self.device, now: clock.uptime)
        if before.isShown != (adding.shown != nil) || before.joiner != adding.joiner {
            publishPairing()
        }
        guard let proof else { return put(.message(.joinAnswer(nil)), on: links[device]) }
        let record = await replica.personRecord(me) ?? identity.person
        guard links[device]?.id == id else { return }
        links[device]?.joining.awaitsConsent = true
        let answer = JoinAnswer(person: ClaimedPersonRecord(record), proof: proof)
        put(.message(.joinAnswer(answer)), on: links[device])
    }

    /// Adds a device that proved that it knows the code, with its consent. The entry is on the disk
    /// before it is sent.
    /// - Throws: ``SyncFault/unexpectedMessage(_:)`` if the device was not asked,
    ///   ``IdentityFault`` if the consent is not its own.
    func receive(_ consent: JoinConsent, from device: DeviceID, id: UInt64) async throws {
        guard links[device]?.id == id, links[device]?.joining.awaitsConsent == true else {
            throw SyncFault.unexpectedMessage("a consent that was not asked for")
        }
        links[device]?.joining.awaitsConsent = false
        let before = await replica.personRecord(me) ?? identity.person
        guard adding.permits(device, now: clock.uptime) else {
            return put(.message(.joined(nil)), on: links[device])
        }
        let agreed = try DeviceConsent(of: device, to: me, signature: consent.signature)
        let entry = try DeviceEntry.adding(agreed, by: identity.key)
        // A device that lost the answer asks again.
        let wasAdded = before.devices.contains(device)
        guard let record = wasAdded ? before : try before.addingDevice(entry) else {
            _ = adding.finish(because: .noRoom)
            publishPairing()
            return put(.message(.joined(nil)), on: links[device])
        }
        let claim = ClaimedPersonRecord(record)
        try await learn([claim])
        adding.recordAdded(name: consent.name)
        put(.message(.joined(claim)), on: links[device])
        logger.notice("a device was added", metadata: ["device": "\(device.suffix)"])
        publishPairing()
        await tell(.added, about: device.description, Node.addedSentence(consent.name, device))
    }

    /// A sentence about a new device of this person.
    static func addedSentence(_ name: String, _ device: DeviceID) -> Sentence {
        name.isEmpty
            ? "A new device with the key \(device.suffix) is one of yours now."
            : "The device \(name) with the key \(device.suffix) is one of yours now."
    }

    func publishPairing() {
        events.publish(StatusEvents.changed, StatusChange(pairing: true))
    }
}
