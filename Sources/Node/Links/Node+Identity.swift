internal import Identity
internal import Links
internal import Logging
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// Person records from peers: they say whose devices write in the shared spaces.
extension Node {
    /// Handles person records from a peer. Those of members of a shared space are stored; the
    /// others wait on the link, since the batch that identifies them may still arrive.
    func receive(_ persons: [PersonRecord], from device: DeviceID) async throws {
        for record in persons {
            if await concerns(record.person) {
                try await learn(record)
            } else {
                links[device]?.records.keep(record)
            }
        }
    }

    /// Whether something is shared with a person, directly or in a group.
    private func concerns(_ person: PersonID) async -> Bool {
        if isKnown(person) { return true }
        for space in Set(links.values.flatMap(\.session.sharedSpaces)) {
            if await replica.members(in: space).contains(where: { $0.person == person }) {
                return true
            }
        }
        return false
    }

    /// Stores whose devices are whose, and ends the links of devices that now belong to no one.
    func learn(_ record: PersonRecord) async throws {
        try await replica.learn(record)
        let devices = await replica.personRecord(record.person)?.devices ?? []
        for active in links.values
        where active.peer.person == record.person && !devices.contains(active.peer.device) {
            logger.info(
                "a device was removed by its person",
                metadata: ["device": "\(active.peer.device.suffix)"])
            active.link.close(because: .refused)
        }
    }

    /// Checks, after a possible change of a space's members, whether waiting records are now
    /// usable.
    func learnWaitingRecords() async {
        for (device, active) in links where !active.records.isEmpty {
            for record in active.records.all where await concerns(record.person) {
                links[device]?.records.remove(record.person)
                do { try await learn(record) } catch {
                    logger.error("a record was not kept", metadata: ["why": "\(error)"])
                }
            }
        }
    }
}
