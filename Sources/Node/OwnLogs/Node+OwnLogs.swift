internal import Identity
internal import Logging
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// After a restored backup: nothing is written until the ends of this device's logs are known.
extension Node {
    /// Throws while writing is not safe.
    /// - Throws: ``CommandFault/refused(_:)``.
    func requireSettledLogs() throws {
        guard let why = unsettledReason else { return }
        throw CommandFault.refused(why)
    }

    /// The reason that nothing may be written now, or nil.
    var unsettledReason: String? {
        switch ownLogs.state {
        case .settled: nil
        case .settling:
            "a backup of this device was restored: its later changes are requested from others; "
                + "try again in some seconds"
        case .needsNewKey(let reason):
            newKeyFault ?? "\(reason.sentence): it continues under a new key; try again in some "
                + "seconds"
        }
    }

    /// Checks whether peers now hold the same logs of this device.
    func checkOwnLogs() async {
        guard !ownLogs.mayWrite, newKeyFault == nil else { return }
        let peers = links.values.map(\.session).filter { !$0.commonSpaces.isEmpty }
            .map { session in session.commonSpaces.allSatisfy(session.isInSync) }
        ownLogs.look(peers: peers, now: clock.uptime)
        switch ownLogs.state {
        case .settling: break
        case .settled: await settleOwnLogs()
        case .needsNewKey(let reason): await continueOnNewKey(because: reason)
        }
    }

    private func settleOwnLogs() async {
        do {
            try await replica.settleStartCounts()
        } catch {
            logger.error("the start could not be noted", metadata: ["why": "\(error)"])
        }
        logger.notice("peers hold the same of this device's logs: writing is safe")
        settling.finish()
        events.publish("status", ["settled": true])
        let waiting = unposted
        unposted = []
        for notice in waiting { await post(notice) }
    }

    private func continueOnNewKey(because reason: OwnLogCheck.Reason) async {
        do {
            var numbers = RandomNumbers(source: random)
            let fresh = try identity.continuedOnNewKey(
                in: settings.home, known: await replica.personRecord(me), using: &numbers)
            try await replica.settleStartCounts()
            logger.warning(
                "this device continues under a new key",
                metadata: ["device": "\(fresh.key.id.suffix)", "why": "\(reason.rawValue)"])
            beginAnew(
                because: Notice(
                    kind: .newDevice, reference: fresh.key.id.description,
                    text: "\(reason.sentence), so it continues under a new key. The old key is "
                        + "kept beside it.",
                    at: clock.wallTime))
        } catch {
            newKeyFault = "\(reason.sentence), and no new key could be made: \(error)"
            logger.error("no new key could be made", metadata: ["why": "\(error)"])
        }
    }

    /// Checks whether another device of this person has ended a log of this one.
    func recordEndedLogs() async {
        if ownLogs.mayWrite, await replica.hasEndedOwnLog() { ownLogs.recordEnded() }
    }

    /// Reports that this node continues under the key that the previous node created.
    package func goOn(after notice: Notice) async {
        isAuditDue = true
        await tell(notice)
    }

    /// Handles batches of this device that came from a peer: a backup was restored undetected, or a
    /// copy of this home is in use elsewhere.
    func recordOwnBatches(_ stored: [MergeOutcome.StoredRange]) async {
        let own = stored.filter { $0.log.device == device }
        guard !own.isEmpty else { return }
        do { replicaEpoch = try await replica.renewEpoch() } catch {
            logger.error("the epoch was not renewed", metadata: ["why": "\(error)"])
        }
        await tell(
            .adopted, about: device.description,
            "Others held changes of this device that were not here, and they are here now: a "
                + "backup was restored, or a copy of this home is in use elsewhere.")
    }

    /// Reports devices that signed two batches with one number.
    func recordForks(in space: SpaceID) async {
        let forks = await replica.spaces().first { $0.id == space }?.forkedDevices ?? []
        for forked in forks {
            await tell(
                .forked, about: forked.description,
                forked == device
                    ? "This device signed different changes under one number: a copy of its home "
                        + "is or was in use. All of them are kept."
                    : "Device \(forked.suffix) signed different changes under one number: a copy "
                        + "of its home is or was in use. All of them are kept.")
        }
    }
}

extension OwnLogCheck.Reason {
    /// The beginning of a sentence that describes the reason.
    fileprivate var sentence: String {
        switch self {
        case .nobodyInReach, .notEqualInTime:
            "A backup of this device was restored and no device nearby had its later changes"
        case .ownLogEnded: "Another device of yours ended this device's log in a space"
        case .ownLogCut: "This device's own changes were damaged here and cut off by a repair"
        }
    }
}
