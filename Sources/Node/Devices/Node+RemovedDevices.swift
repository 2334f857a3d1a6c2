internal import Identity
internal import Links
internal import Logging
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// Devices that their person removed: what others do with them, and what they do themselves.
extension Node {
    /// The time that the cut by another device has to arrive before this device ends a log itself.
    static let cutWait: Duration = .seconds(10)

    /// Ends the link with a device that its person removed, and tells the device so. Nothing else
    /// that waits for the link is sent: it may have been written after the removal.
    func turnAway(_ active: ActiveLink) async {
        let device = active.peer.device
        logger.info(
            "a device was removed by its person", metadata: ["device": "\(device.suffix)"])
        let proof = await replica.personRecord(active.peer.person)?.showing(removalOf: device)
        active.outbox.discard()
        if let proof { put(.message(.identity([ClaimedPersonRecord(proof)])), on: active) }
        if links[device]?.id == active.id {
            links[device] = nil
            endContent(with: device, .byThisSide)
        }
        leave(active, .leaving, because: .refused)
        ended(active)
    }

    /// Tells a device, after its HELLO, that its person removed it.
    func tellRemoval(
        of device: DeviceID, from known: PersonRecord, over link: any DeviceLink
    ) async {
        guard let proof = known.showing(removalOf: device) else { return }
        do {
            try await send(.identity([ClaimedPersonRecord(proof)]), over: link)
            try await send(.bye(.leaving), over: link)
            try await clock.sleep(for: Node.farewell)
        } catch {
            logger.debug("a removed device was not told", metadata: ["why": "\(error)"])
        }
    }

    /// Follows a person's record that lists other devices than before. This person's own one is
    /// sent to every linked peer, even if a peer brought the change: those peers may lack it too.
    func devicesChanged(of person: PersonID) async {
        if person == me { await tellRecordToAll() }
        await refreshTags()
        // An acknowledgement by a device that is removed now no longer counts for its person.
        await refreshRelations()
        guard person == me else { return }
        publishDevices()
        await recordOwnRemoval()
    }

    /// Records that another device of this person removed this one. A running node starts again,
    /// without links.
    func recordOwnRemoval() async {
        guard !ownLogs.isRemoved, !recovery.isSearching,
            let record = await replica.personRecord(me), record.removedDevices.contains(device)
        else { return }
        guard lan.ownAnnouncement != nil || !links.isEmpty else { return ownLogs.recordRemoved() }
        life.beginAnew(
            because: Notice(
                kind: .removed, reference: device.description, text: OwnLogs.removedSentence,
                at: clock.wallTime))
    }

    /// Ends the logs of removed devices if this device removed them and a crash or a restored
    /// backup lost the cuts, or if no other device is left to do it.
    func endRemovedLogs() async {
        guard ownLogs.mayWrite, let record = await replica.personRecord(me) else { return }
        let mine = await replica.devicesToEnd().filter { removed in
            let signers = record.entries.filter { $0.kind == .remove && $0.device == removed }
                .map(\.signer)
            return signers.allSatisfy { signer in
                guard case .device(let other) = signer else { return true }
                return other == device || !record.devices.contains(other)
            }
        }
        do {
            await committed(try await replica.endLogs(of: mine, wallTime: clock.wallTime))
        } catch {
            logger.error("a removed device's log was not ended", metadata: ["why": "\(error)"])
        }
    }

    /// Ends a log of a removed device of this person that no cut names, unless another device's cut
    /// arrives meanwhile. Without a cut, it is undecided which of its batches count.
    func endUnknownLog(_ log: LogName, in space: SpaceID) {
        Task {
            guard ownLogs.mayWrite,
                await replica.personRecord(me)?.removedDevices.contains(log.device) == true,
                ownDevices.beginEnding(log, in: space)
            else { return }
            defer { ownDevices.finishEnding(log, in: space) }
            do {
                try await clock.sleep(for: Node.cutWait)
                let commit = try await replica.endLog(log, in: space, wallTime: clock.wallTime)
                if let commit { await committed(commit) }
            } catch {
                logger.error(
                    "a removed device's log was not ended", metadata: ["why": "\(error)"])
            }
        }
    }

    /// Records when another device of this person was linked last.
    func recordSeen(_ peer: Peer) {
        guard peer.person == me else { return }
        ownDevices.recordSeen(peer.device, at: clock.wallTime)
        publishDevices()
    }

    /// Sends this person's record to all links with whom something is shared, after it has changed.
    private func tellRecordToAll() async {
        for device in Array(links.keys) {
            links[device]?.owesRecord = true
            await tellRecord(to: device)
        }
    }
}
