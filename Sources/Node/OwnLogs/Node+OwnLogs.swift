internal import Identity
internal import Links
internal import Logging
internal import NodeAPI
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// After a restored backup: nothing is written until the ends of this device's logs are known.
extension Node {
    /// Throws while writing is not safe.
    /// - Throws: ``CommandFault/refused(_:)``.
    package func requireSettledLogs() throws {
        guard let why = ownLogs.unsettledReason else { return }
        throw CommandFault.refused(why)
    }

    /// Checks whether peers now hold the same logs of this device.
    func checkOwnLogs() async {
        let state = ownLogs.look(
            peers: links.equalities { neighbourhoods.isBehind($0, on: device) }, now: clock.uptime)
        switch state {
        case nil, .settling: break
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
        ownLogs.finishSettling()
        events.publish(StatusEvents.changed, StatusChange(settled: true))
        for notice in notices.removeUnposted() { await post(notice) }
    }

    private func continueOnNewKey(because reason: OwnLogCheck.Reason) async {
        do {
            var numbers = RandomNumbers(source: surroundings.random)
            let fresh = try identity.continuedOnNewKey(
                in: settings.home, known: await replica.personRecord(me), using: &numbers)
            try await replica.settleStartCounts()
            logger.warning(
                "this device continues under a new key",
                metadata: ["device": "\(fresh.key.id.suffix)", "why": "\(reason.rawValue)"])
            life.beginAnew(
                because: Notice(
                    kind: .newDevice, reference: fresh.key.id.description,
                    text: "\(reason.sentence), so it continues under a new key. The old key is "
                        + "kept beside it.\(fresh.newKeysWarning)",
                    at: clock.wallTime))
        } catch {
            ownLogs.recordNewKeyFault(error, because: reason)
            logger.error("no new key could be made", metadata: ["why": "\(error)"])
        }
    }

    /// Checks whether another device of this person has ended a log of this one.
    func recordEndedLogs() async {
        if ownLogs.mayWrite, await replica.hasEndedOwnLog() { ownLogs.recordEnded() }
    }

    /// Reports that this node continues under the key that the previous node created.
    package func goOn(after notice: Notice) async {
        health.requestAudit()
        await tell(notice)
    }

    /// Handles batches of this device that came from a peer: a backup was restored undetected, or a
    /// copy of this home is in use elsewhere.
    func recordOwnBatches() async {
        do { start.replicaEpoch = try await replica.renewEpoch() } catch {
            logger.error("the epoch was not renewed", metadata: ["why": "\(error)"])
        }
        await tell(
            .adopted, about: device.description,
            "Others had changes of this device that were missing here; they are here now. Either a "
                + "backup was restored, or a copy of this home is in use elsewhere.")
    }

    /// Reports devices that signed two batches with one number: this device, and each person once,
    /// however many of their devices did so.
    func recordForks() async {
        var countsByPerson: [PersonID: Int] = [:]
        for forked in await forkedDevices() {
            if forked == device {
                await tell(
                    .forked, about: device.description,
                    "This device signed different changes under one number: a copy of its home "
                        + "is or was in use. All of them are kept.")
            } else if let person = await replica.person(of: forked) {
                countsByPerson[person, default: 0] += 1
            }
        }
        for (person, count) in countsByPerson.sorted(by: { $0.key < $1.key })
        where notices.mayTell(.forked, about: person.description) {
            let devices = count == 1 ? "A device" : "\(count) devices"
            await tell(
                .forked, about: person.description,
                "\(devices) of \(await name(of: person)) signed different changes under one "
                    + "number: a copy of a home is or was in use. All of them are kept.")
        }
    }
}

extension Node {
    /// The devices whose forks this person is told of. Strangers may fork their logs in a
    /// neighbourhood under any number of keys.
    private func forkedDevices() async -> Set<DeviceID> {
        Set(
            await replica.spaces().flatMap { space in
                space.forkedDevices.filter { space.descriptor.kind != .open || $0 == device }
            })
    }
}

// Detection of a copy of this home, or of a peer's, that runs on another host at the same time.
// Only people who share something with this node are believed: a stranger could claim anything,
// under any number of keys.
extension Node {
    /// Records that a peer has a newer link with this device's key. If this node did not open that
    /// link, another host has the key.
    func recordReplacedLink(of device: DeviceID) {
        guard let peer = links[device]?.peer, isKnown(peer.person) else { return }
        ownLogs.recordReplacedLink(with: device, now: clock.uptime)
    }

    /// Checks whether replaced links were replaced by this node itself.
    func lookForClones() async {
        for device in ownLogs.removeDueReplacements(now: clock.uptime) where links[device] == nil {
            await tellOfOwnClone()
        }
    }

    /// Checks a link with this device's own key: it leads to this node, or to a copy of its home.
    /// - Returns: whether it leads to this node.
    func meetsItself(_ theirs: Hello) async -> Bool {
        if theirs.bootID == start.boot.id { return true }
        await tellOfOwnClone()
        return false
    }

    /// Handles a second link from an older boot of a linked device: the device runs twice.
    func recordClone(of peer: Peer) async {
        guard isKnown(peer.person) else { return }
        // A person may have very many devices, so each person is told of once.
        await tell(
            .clone, about: peer.person.description,
            "Device \(peer.device.suffix) is in use on two hosts at once; what both write is kept.")
    }

    private func tellOfOwnClone() async {
        await tell(
            .clone, about: device.description,
            "A copy of this home is in use on another host: end one of the two. What both wrote "
                + "is kept; only one of them is linked at a time.")
    }
}
