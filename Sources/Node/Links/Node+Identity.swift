internal import Identity
internal import Links
internal import Logging
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// Whose devices write in the spaces that are shared: the records that peers bring.
extension Node {
    /// Takes person records of a peer's. Those of people of a shared space are written down, the
    /// others wait on the link: who they are may be in a batch that is still to come.
    func take(_ persons: [PersonRecord], from device: DeviceID) async throws {
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

    /// Writes down whose devices are whose, and ends the links of devices that are nobody's now.
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

    /// Who belongs to a space may have changed: looks whether records that waited are of use now.
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
