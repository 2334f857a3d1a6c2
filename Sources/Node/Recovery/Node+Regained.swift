internal import Logging
internal import NodeAPI
internal import PluginHost
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// The record of which people have sent everything that they share.
extension Node {
    /// Records, once a peer has sent all that it shares, that its person's part is back.
    func recordRegained(from device: DeviceID) async {
        guard await isSomethingMissing(from: device) else { return }
        if recovery.regained?.joined == nil { publishRecovery() } else { publishPairing() }
    }

    /// Does what is due while another device of this person has not sent everything: looks whether
    /// the rest has arrived, and asks mates if no such device is in reach.
    func maintainRegaining() async {
        guard recovery.asks(me) else { return }
        let others = links.values.filter { $0.peer.person == me }.map(\.peer.device)
        for device in others { _ = await isSomethingMissing(from: device) }
        guard recovery.look(isOtherDeviceLinked: !others.isEmpty, now: clock.uptime) else { return }
        publishPairing()
        for (device, active) in links.byDevice where !active.recovery.hasAsked {
            askForRecovery(on: device, id: active.id)
        }
    }

    /// Records that another device of this person does not have content that it was asked for.
    func recordLacking(_ hash: BlobHash, from device: DeviceID) {
        guard recovery.asks(me), links[device]?.peer.person == me else { return }
        // At most what this side asked for: content that own records name.
        links[device]?.recovery.lacked.insert(hash)
    }

    /// Whether a peer is asked for everything that it shares, has named its spaces, and has not
    /// sent all of it. If it has sent all, that is recorded.
    private func isSomethingMissing(from device: DeviceID) async -> Bool {
        guard let regained = recovery.regained, let active = links[device],
            active.recovery.isComplete, recovery.asks(active.peer.person)
        else { return false }
        let person = active.peer.person
        guard active.recovery.hasNamed || regained.joined == person else { return false }
        // Another own device sends the person's own spaces too.
        let named =
            person == me
            ? relations.spaces(sharedWith: me, me: me).map(\.id)
            : active.recovery.groups.map(\.id)
                + active.recovery.expectedPairs.map { SpaceDescriptor.between(me, $0).id }
        guard named.allSatisfy({ active.session.isInSync($0) && !recovery.unproven.contains($0) })
        else { return true }
        if person == me, await isOwnContentMissing(from: active) { return true }
        await recordEverything(from: person)
        return false
    }

    /// Whether content that this person's records name is missing here, which another device of
    /// the person may still send. A device that was asked for it and does not have it cannot.
    private func isOwnContentMissing(from active: ActiveLink) async -> Bool {
        guard active.version >= Hello.contentVersion else { return false }
        do {
            let count = try await replica.countOwnContent(
                in: active.session.commonSpaces, besides: active.recovery.lacked)
            joining.files = count
            return count.missingCount > 0
        } catch {
            logger.error("own content was not counted", metadata: ["why": "\(error)"])
            return true
        }
    }

    private func recordEverything(from person: PersonID) async {
        guard recovery.regained?.insert(person) == true else { return }
        do { try recovery.regained?.write(to: settings.home) } catch {
            logger.error("what came back was not noted", metadata: ["why": "\(error)"])
        }
        publishRecovery()
        guard recovery.regained?.joined != person else { return publishPairing() }
        await tell(.recovered, about: person.description, await regainedSentence(of: person))
    }

    private func regainedSentence(of person: PersonID) async -> Sentence {
        let groupsCount = relations.groups.values.count { $0.contains(person) }
        let groups = Sentence(
            count: groupsCount, one: "1 group or promise",
            other: "\(groupsCount) groups and promises")
        guard person != me else {
            return "From another device of yours: everything, with \(groups)."
        }
        let name = await name(of: person)
        return "From \(name): all that you share, with \(groups)."
    }

    func publishRecovery() {
        events.publish(StatusEvents.changed, StatusChange(recovery: true))
    }
}
