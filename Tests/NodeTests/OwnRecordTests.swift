import Discovery
import Identity
import PluginKit
import Records
import Replica
import TestSupport
import Testing

@testable import Node
@testable import Sync

/// Tells this person's record to linked peers.
@Suite struct OwnRecordTests {
    /// Returns this person's record with another device, which the node does not know yet.
    private func grown(_ node: Node) async throws -> ClaimedPersonRecord {
        let record = try #require(await node.replica.personRecord(node.me))
        let consent = try DeviceConsent(of: DeviceKey(), to: node.me)
        let entry = try DeviceEntry.adding(consent, by: await node.identity.key)
        return ClaimedPersonRecord(try record.adding(entry))
    }

    /// Ends a link's queue, and returns the messages with records in it.
    private func records(_ active: ActiveLink) async -> [[ClaimedPersonRecord]] {
        active.outbox.finish()
        var records: [[ClaimedPersonRecord]] = []
        while let item = await active.outbox.next() {
            if case .message(.identity(let claims)) = item { records.append(claims) }
        }
        return records
    }

    @Test func `plugins look again once an own device is no stranger in sight any more`()
        async throws
    {
        try await ClockedNode.with { clocked in
            let node = clocked.node
            try await node.learn([try await grown(node)])
            let devices = try #require(await node.replica.personRecord(node.me)).devices
            let other = try #require(devices.first { $0 != node.device })
            let now = clocked.clock.wallTime
            #expect(try await node.owesNearby(afterRecognizing: other, now: now))
            // The same tags again change nothing.
            #expect(try await !node.owesNearby(afterRecognizing: other, now: now))
        }
    }

    @Test func `a change of the own devices that a peer brought is told to everyone linked`()
        async throws
    {
        try await ClockedNode.with { clocked in
            let group = try await clocked.group(of: [])
            let peer = try await clocked.link(sharing: [group])
            let claim = try await grown(clocked.node)
            try await clocked.node.learn([claim])
            // The same again is no change.
            try await clocked.node.learn([claim])
            #expect(await records(peer).count == 1)
        }
    }

    @Test func `a side whose HELLO lacks entries of its person is told them, and no other side`()
        async throws
    {
        try await ClockedNode.with { clocked in
            let (node, key) = (clocked.node, DeviceKey())
            let founding = try #require(await node.replica.personRecord(node.me))
            let listing = try founding.adding(
                DeviceEntry.adding(
                    DeviceConsent(of: key, to: node.me), by: await node.identity.key))
            func another() throws -> DeviceEntry {
                try .adding(DeviceConsent(of: DeviceKey(), to: node.me), by: key)
            }
            let older = try listing.adding(another())
            let whole = try older.adding(another())
            try await node.learn([ClaimedPersonRecord(whole)])
            func told(after hello: PersonRecord) async throws -> [[ClaimedPersonRecord]] {
                let active = try ActiveLink.silent(
                    id: 1, on: node.device, person: node.me, key: key,
                    claim: ClaimedPersonRecord(hello))
                await node.begin(active)
                try await node.learnHello(of: key.id, id: 1)
                return await records(active)
            }
            // Its database was replaced by one from before the last device was added.
            #expect(try await told(after: older) == [[ClaimedPersonRecord(whole)]])
            #expect(try await told(after: whole).isEmpty)
            // It took this node for a stranger, and showed only what lists its device.
            let shown = whole.showing(only: key.id)
            #expect(shown != whole && shown.devices.contains(key.id))
            #expect(try await told(after: shown).isEmpty)
        }
    }

    @Test func `a removal by this device that it has lost and peers bring back ends the logs`()
        async throws
    {
        try await ClockedNode.with { clocked in
            let (node, now) = (clocked.node, clocked.clock.wallTime)
            let (replica, card) = (node.replica, SpaceDescriptor.card(node.me))
            try await replica.open(card)
            let phone = DeviceKey()
            let entry = try DeviceEntry.adding(
                DeviceConsent(of: phone, to: node.me), by: await node.identity.key)
            let both = try #require(await replica.personRecord(node.me)).adding(entry)
            try await node.learn([ClaimedPersonRecord(both)])
            let field = Operation.create(
                in: card.id, of: CollectionID(name: "owned.field/1"), by: phone)
            let run = try Run.first([field], by: phone, in: card.id, at: now)
            #expect(try await replica.merge([(card.id, run)], wallTime: now).faults.isEmpty)

            let removal = try both.removing(phone.id, by: await node.identity.key)
            try await node.learn([ClaimedPersonRecord(removal)])
            #expect(await replica.devicesToEnd().isEmpty)
            // The end names what is here, so a replica that meets the person later takes it.
            #expect(await replica.heads(in: card.id).map(\.log.device).contains(phone.id))
            #expect(
                await replica.membership(of: card.id)?.reach(
                    of: LogName(device: phone.id), by: node.me) == 1)
        }
    }

    @Test func `a device whose removal is stored while it links is told so, and gets nothing`()
        async throws
    {
        try await ClockedNode.with { clocked in
            let (node, key) = (clocked.node, DeviceKey())
            let senior = await node.identity.key
            let both = try #require(await node.replica.personRecord(node.me)).adding(
                DeviceEntry.adding(DeviceConsent(of: key, to: node.me), by: senior))
            try await node.learn([ClaimedPersonRecord(both)])
            let active = try ActiveLink.silent(
                id: 1, on: node.device, person: node.me, key: key,
                claim: ClaimedPersonRecord(both))
            try await node.learn([ClaimedPersonRecord(both.removing(key.id, by: senior))])
            // The link is registered after the links of removed devices have ended.
            await node.begin(active)
            await node.shareSpaces(with: key.id)
            #expect(await !node.isLinked(with: key.id))
            let told = await records(active)
            #expect(told.count == 1)
            #expect(told.first?.first?.person == node.me)
        }
    }

    @Test func `a record that a peer may have dropped is told again when the peer names a space`()
        async throws
    {
        try await ClockedNode.with { clocked in
            let node = clocked.node
            let group = try await clocked.group(of: [])
            let peer = try await clocked.link(sharing: [group])
            let device = peer.peer.device
            // With nothing in common, the node shares nothing, and the peer drops what it is told.
            await node.shareSpaces(with: device)
            #expect(await node.owesRecord(to: device))
            try await node.learn([try await grown(node)])
            #expect(await node.owesRecord(to: device))

            let here = try #require(await node.shared(group))
            await node.resume(here, with: device)
            await node.tellRecord(to: device, isCertain: false)
            #expect(await node.owesRecord(to: device))
            let entry = Have.Entry(token: peer.token(group), digest: .zero)
            let have = Message.have(Have(round: .announcement, entries: [entry]))
            try await clocked.receive([have, have], over: peer)
            #expect(await !node.owesRecord(to: device))
            #expect(await records(peer).count == 2)
        }
    }
}

extension Node {
    /// Returns whether plugins are told of a change nearby after the tag key of a device in sight
    /// became known.
    fileprivate func owesNearby(
        afterRecognizing device: DeviceID, now: Timestamp
    ) async throws -> Bool {
        let key = [UInt8](repeating: 7, count: 16)
        lan.tags.beginHour(at: now)
        let tag = try #require(DeviceTag(lan.tags.own(key: key, device: device)))
        lan.record(
            Sighting(
                instance: "other", announcement: Announcement(tag: tag, port: 4711),
                endpoints: [try #require(Endpoint("192.0.2.1:4711"))]), at: now)
        relations.tagKeys[me] = key
        lan.owesNearby = false
        await refreshTags()
        return lan.owesNearby
    }

    fileprivate func begin(_ active: ActiveLink) { links[active.peer.device] = active }

    fileprivate func isLinked(with device: DeviceID) -> Bool { links[device] != nil }

    fileprivate func owesRecord(to device: DeviceID) -> Bool { links[device]?.owesRecord ?? false }

    fileprivate func resume(_ space: SharedSpace, with device: DeviceID) {
        _ = links[device]?.session.share([space])
    }
}
