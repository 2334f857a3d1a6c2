internal import ControlAPI
internal import FeaturesAPI
internal import Identity
internal import Logging
internal import PluginHost
internal import PluginKit
internal import Records
internal import Replica

// The commands of this person's devices.
extension Node {
    /// Answers `device list`.
    func listDevices() async throws -> DeviceList {
        guard let record = await replica.personRecord(me) else {
            return DeviceList(devices: [], caution: nil, locked: nil)
        }
        let names = try await host.core?.deviceNames() ?? [:]
        let newest = await replica.newestChanges(of: record.devices)
        let now = clock.wallTime
        let listed = record.devices.union(ownLogs.isRemoved ? [device] : [])
        let devices = listed.map { other -> DeviceList.Device in
            let isLinked = other == device || links[other] != nil
            let seen = [ownDevices.seen[other], newest[other]].compactMap(\.self).max()
            return DeviceList.Device(
                device: Key(other), suffix: KeySuffix(other), name: names[other],
                isThis: other == device, linked: isLinked, seenMs: isLinked ? now : seen,
                outranked: other == device || record.permits(key: device, toRemove: other)
                    ? nil : Self.outrankedSentence)
        }
        return DeviceList(
            devices: devices.sorted(by: precedes), caution: removalCaution,
            locked: ownLogs.isRemoved ? OwnLogs.removedSentence : removalLock,
            isRemoved: ownLogs.isRemoved)
    }

    private func precedes(_ one: DeviceList.Device, _ other: DeviceList.Device) -> Bool {
        if one.isThis != other.isThis { return one.isThis }
        let (left, right) = (one.name?.string ?? "", other.name?.string ?? "")
        return left != right ? left < right : one.device.string < other.device.string
    }

    /// The reason a device cannot be removed by this one.
    static let outrankedSentence: Sentence = """
        This device may not remove it, because it was not added by this one: do it on the device \
        that added it, or give your recovery words.
        """

    /// The reason nothing can be removed yet after coming back by recovery words.
    private var removalLock: Sentence? {
        guard let regained = recovery.regained, regained.everyone.isEmpty else { return nil }
        guard !regained.isReceiving else {
            return """
                This device has not received everything yet: connect it with your other one, or \
                meet a mate if that one is lost, since what you wrote on a lost device counts only \
                as far as it is known here.
                """
        }
        guard ownDevices.seen.isEmpty else { return nil }
        return """
            You came back by your recovery words and nothing has come back yet: meet a mate first, \
            since what you wrote on a lost device counts only as far as it is known here.
            """
    }

    /// A warning for a person who came back and removes a lost device.
    private var removalCaution: Sentence? {
        guard let regained = recovery.regained, !regained.everyone.isEmpty else { return nil }
        guard regained.joined == nil else {
            guard regained.isReceiving else { return nil }
            return """
                This device has not received everything from your other one: messages from a lost \
                device that only an absent mate holds will be void. Meet your mates first.
                """
        }
        return """
            You came back by your recovery words: messages from the lost device that only an \
            absent mate holds will be void. Meet your mates first.
            """
    }

    /// Returns the device of this person that a command names.
    private func ownDevice(
        _ wanted: NameOrKey, in record: PersonRecord
    ) async throws -> DeviceID {
        let names = try await host.core?.deviceNames() ?? [:]
        return try wanted.resolve(
            among: record.devices, named: { names[$0] }, what: "device", listedBy: "device list")
    }

    /// Performs `device rename`.
    func renameDevice(_ request: RenameDevice) async throws -> Done {
        try requireSettledLogs()
        let record = try await ownRecord()
        let named = try await ownDevice(request.device, in: record)
        try await host.core?.nameDevice(named, request.name.string)
        return Done()
    }

    private func ownRecord() async throws -> PersonRecord {
        try await replica.learn(identity.person)
        return await replica.personRecord(me) ?? identity.person
    }

    /// Performs `device remove`: writes the removal into the person's record, tells everyone
    /// linked, and ends the device's logs where they are known here.
    /// - Throws: ``CommandFault``; nothing was changed then.
    func removeDevice(_ request: RemoveDevice) async throws -> DeviceRemoval {
        try requireSettledLogs()
        let record = try await ownRecord()
        let removed = try await ownDevice(request.device, in: record)
        guard removed != device else {
            throw CommandFault.refused(
                record.devices.count == 1
                    ? "This is your only device: 'waggle me delete' ends your use of Waggle."
                    : "This device cannot remove itself: remove it on another device of yours, or "
                        + "run 'waggle me delete' to erase everything.")
        }
        if let removalLock { throw CommandFault.refused(removalLock) }
        guard request.yes == true else {
            throw CommandFault.refused(
                "The device gets nothing more, on this network or any other, and cannot be added "
                    + "back under its key; what it wrote so far stays: add --yes.")
        }
        let fresh = try removing(removed, from: record, words: request.words?.string)
        let name = try await host.core?.deviceNames()[removed]
        let commits = try await replica.learn(fresh, wallTime: clock.wallTime)
        // First the device loses its link and everyone linked learns of the removal, who could pass
        // on to it what is written from here on.
        for active in links.values
        where active.peer.person == me && !fresh.devices.contains(active.peer.device) {
            await turnAway(active)
        }
        await devicesChanged(of: me)
        await committed(commits)
        let cuts = try await replica.endLogs(of: fresh.removedDevices, wallTime: clock.wallTime)
        await committed(cuts)
        if relations.tagKeys[me] != nil { try await host.core?.changeTagKey() }
        stopReceiving(ifAloneIn: fresh)
        logger.notice("a device was removed", metadata: ["device": "\(removed.suffix)"])
        let shown = name ?? removed.suffix
        return DeviceRemoval(
            device: Key(removed), spaces: Set(cuts.map(\.space)).count,
            detail: "\(shown) was removed: it gets nothing more, and what it wrote until now stays."
        )
    }

    /// Ends the wait of a device that joined for another one of the person, if none is left.
    private func stopReceiving(ifAloneIn record: PersonRecord) {
        guard recovery.regained?.isReceiving == true, record.devices == [device] else { return }
        recovery.regained?.forgetAdder()
        do { try recovery.regained?.write(to: settings.home) } catch {
            logger.error("the wait for a removed device goes on", metadata: ["why": "\(error)"])
        }
        publishPairing()
        publishRecovery()
    }

    private func removing(
        _ removed: DeviceID, from record: PersonRecord, words: String?
    ) throws -> PersonRecord {
        do {
            guard let words else { return try record.removing(removed, by: identity.key) }
            let key = try RecoveryWords.typed(words).key
            guard key.publicKey == record.founding.recoveryKey else {
                throw CommandFault.usage(
                    "These are the words of another identity, not yours.", field: "words")
            }
            return try record.removing(removed, by: key)
        } catch IdentityFault.outranked {
            throw CommandFault.refused(Self.outrankedSentence)
        } catch IdentityFault.recordFull(let limit) {
            throw CommandFault.refused(
                "Your person's record is full: it has \(limit) entries about devices.")
        }
    }

    /// Gives this device its first name, if it has none.
    func nameThisDevice() async {
        guard let first = settings.deviceName, let name = try? DeviceName(first),
            ownLogs.mayWrite, let core = host.core
        else { return }
        do {
            guard try await core.deviceNames()[device] == nil else { return }
            try await core.nameDevice(device, name.string)
        } catch {
            logger.error("this device was not named", metadata: ["why": "\(error)"])
        }
    }

    /// Tells followers to list the devices again.
    func publishDevices() { events.publish(DeviceEvents.changed, DeviceChange()) }
}
