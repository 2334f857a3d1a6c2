import ControlAPI
import FeaturesAPI
import class Foundation.FileManager
import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import Replica
import TestSupport
import Testing

@testable import Identity
@testable import Node
@testable import Sync

/// Tests the contents of HELLO for strangers and for others.
@Suite(.serialized) struct HelloTests {
    /// A home on its third key, whose first key also added another device.
    private func homeOnThirdKey() throws -> (home: Home, person: PersonRecord) {
        var generator = SystemRandomNumberGenerator()
        let home = try RunningNode.founded()
        let first = try NodeIdentity.load(from: home)
        let consent = try DeviceConsent(
            of: DeviceKey(), to: first.person.person, name: "laptop")
        let more = try first.person.adding(try DeviceEntry.adding(consent, by: first.key))
        let second = try first.continuedOnNewKey(in: home, known: more, using: &generator)
        let third = try second.continuedOnNewKey(in: home, known: nil, using: &generator)
        return (home, third.person)
    }

    @Test func `a stranger learns no start count, no epoch and no other device`() async throws {
        let (home, person) = try homeOnThirdKey()
        let node = try await RunningNode.start(home)
        var told: [Hello] = []
        for _ in 0..<2 {
            let (key, stranger) = try HostilePeer.stranger()
            let peer = try await HostilePeer.dial(node.port, as: key, stranger)
            #expect(try await peer.answers(to: []).isEmpty)
            told.append(peer.theirs)
            peer.close()
        }
        #expect(told.map(\.startCount) == [0, 0])
        #expect(told[0].replicaEpoch != told[1].replicaEpoch)
        for hello in told {
            let shown = try PersonRecord(decoding: hello.person.encoded)
            #expect(person.entries.count == 4 && shown.entries.count == 2)
            #expect(shown.devices.contains(try #require(DeviceID(try await node.device.string))))
            #expect(shown.entries.allSatisfy { $0.name == nil })
        }
        try await node.remove()
    }

    @Test func `a mate's known device and a mate's new device learn it all`() async throws {
        let mate = try await HostileMate.capture()
        let known = try await mate.link()
        let fresh = DeviceKey()
        let consent = try DeviceConsent(of: fresh, to: mate.identity.person.person)
        let person = try mate.identity.person.adding(
            try DeviceEntry.adding(consent, by: mate.identity.key))
        let new = try await HostilePeer.dial(mate.victim.port, as: fresh, person)
        #expect(known.theirs.startCount > 0 && new.theirs.startCount > 0)
        #expect(known.theirs.replicaEpoch == new.theirs.replicaEpoch)
        known.close()
        new.close()
        try await mate.end()
    }

    @Test func `a mate's removed device learns of its removal, and no more`() async throws {
        let mate = try await HostileMate.capture()
        let removed = DeviceKey()
        let consent = try DeviceConsent(of: removed, to: mate.identity.person.person)
        let before = try mate.identity.person.adding(
            try DeviceEntry.adding(consent, by: mate.identity.key))
        let after = try before.adding(
            try DeviceEntry.removing(
                removed.id, from: before.person, by: mate.identity.key))
        let peer = try await HostilePeer.dial(mate.victim.port, as: mate.identity.key, after)
        _ = try await peer.answers(to: [])
        let thief = try await HostilePeer.dial(mate.victim.port, as: removed, before)
        #expect(thief.theirs.startCount == 0)
        let told = await thief.messages { _ in false }
        guard told.count == 2, case .identity(let records) = told[0], told[1] == .bye(.leaving)
        else {
            Issue.record("it was told \(told)")
            return
        }
        let shown = try PersonRecord(decoding: try #require(records.first).encoded)
        #expect(records.count == 1 && !shown.devices.contains(removed.id))
        // Only entries about it, and about the device that removed it.
        #expect(
            shown.entries.allSatisfy {
                [removed.id, mate.identity.key.id].contains($0.device)
            })
        peer.close()
        try await mate.end()
    }

    @Test func `of a stranger's HELLO only the entries that list their device are checked`()
        async throws
    {
        let node = try await RunningNode.start()
        let (key, person) = try HostilePeer.stranger()
        let peer = try await HostilePeer.dial(
            node.port, as: key, person, claiming: try person.withForgedEntries(signer: key))
        _ = try await peer.answers(to: [])
        #expect(try await node.call(NodeCommands.status).links.count == 1)
        peer.close()
        try await node.remove()
    }

    @Test func `a mate whose HELLO contains a forged entry loses the link, and it is not stored`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let person = mate.identity.person
        let peer = try await HostilePeer.dial(
            mate.victim.port, as: mate.identity.key, person,
            claiming: try person.withForgedEntries(signer: mate.identity.key))
        #expect(await peer.messages { _ in false }.last == .bye(.fault))
        let honest = try await mate.link()
        _ = try await honest.answers(to: [])
        #expect(try await mate.victim.call(NodeCommands.status).links.count == 1)
        honest.close()
        try await mate.end()
    }

    @Test func `a device on its thirteenth key is linked by a stranger and by a mate`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let node = try await RunningNode.start()
        var (person, key) = (mate.identity.person, mate.identity.key)
        for _ in 1...12 {
            let next = DeviceKey()
            let consent = try DeviceConsent(of: next, to: person.person)
            person = try person.adding(try DeviceEntry.adding(consent, by: key))
            key = next
            let peer = try await HostilePeer.dial(mate.victim.port, as: key, person)
            _ = try await peer.answers(to: [])
            peer.close()
            let stranger = try? await HostilePeer.dial(node.port, as: key, person)
            #expect(stranger != nil)
            stranger?.close()
        }
        try await node.remove()
        try await mate.end()
    }

    @Test func `two strangers become mates, and then each has the other's whole record`()
        async throws
    {
        let (home, person) = try homeOnThirdKey()
        let meeting = Meeting(one: try await .start(home), other: try await .start())
        try await meeting.one.call(ProfileCommands.edit, Meeting.profile("Ana", dog: "Rex"))
        try await meeting.other.call(ProfileCommands.edit, Meeting.profile("Bob", dog: "Kit"))
        try await meeting.other.dial(meeting.one)
        for node in [meeting.one, meeting.other] {
            try await node.wait(for: NearbyCommands.list) { $0.people.count == 1 }
        }
        try await meeting.drop()
        #expect(
            await eventually {
                (try? await meeting.other.call(NodeCommands.verify, .init()))?.equal == true
            })
        try await meeting.other.stop()
        let identity = try NodeIdentity.load(from: meeting.other.home)
        let replica = try Replica(
            path: meeting.other.home.replicaFile, key: identity.key, collections: [], views: [])
        #expect(await replica.personRecord(person.person) == person)
        try await replica.close()
        try FileManager.default.removeItem(atPath: meeting.other.home.directory)
        try await meeting.one.remove()
    }

    @Test func `homes on their third keys find each other again after a restart`() async throws {
        let (first, second) = (try homeOnThirdKey(), try homeOnThirdKey())
        let meeting = Meeting(
            one: try await .start(first.home), other: try await .start(second.home))
        try await meeting.one.call(ProfileCommands.edit, Meeting.profile("Ana", dog: "Rex"))
        try await meeting.other.call(ProfileCommands.edit, Meeting.profile("Bob", dog: "Kit"))
        try await meeting.one.dial(meeting.other)
        for node in [meeting.one, meeting.other] {
            try await node.wait(for: NearbyCommands.list) { $0.people.count == 1 }
        }
        try await meeting.drop()
        let port = meeting.other.port
        try await meeting.other.stop()
        let again = try await RunningNode.start(second.home, port: port)
        try await again.call(ProfileCommands.edit, .init(nickname: Nickname("Robert")))
        try await meeting.one.wait(for: MateCommands.list) {
            $0.mates.first?.profile.nickname == "Robert"
        }
        try await again.remove()
        try await meeting.one.remove()
    }
}

extension PersonRecord {
    /// Returns this record's bytes with as many entries of new devices as there is room for, each
    /// with a consent and a signature that do not verify.
    fileprivate func withForgedEntries(signer: DeviceKey) throws -> ClaimedPersonRecord {
        let other = PersonID(raw: Digest.header.hash([1]))
        let forged = try (entries.count..<Limits.personDevicesMax).map { _ in
            let entry = try DeviceEntry.adding(
                try DeviceConsent(of: DeviceKey(), to: other), by: signer)
            // The entry names this person, so its signatures are of other bytes.
            let bytes = entry.encoded
            return try DeviceEntry(decoding: [bytes[0]] + person.bytes + bytes.dropFirst(33))
        }
        let all = PersonRecord.inOrder(entries + forged, founding: founding)
        let beginning: [UInt8] = founding.encoded + foundingSignature.bytes + [UInt8(all.count)]
        return try ClaimedPersonRecord(beginning + all.flatMap(\.encoded))
    }
}
