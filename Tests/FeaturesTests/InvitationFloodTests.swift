import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

/// A mate who invites a person to one group after the other.
@Suite struct InvitationFloodTests {
    private static let forgedCount = 100

    /// Lets a host tell another of a group that the host never made.
    private func forge(
        _ number: Int, by host: TestHost, to other: TestHost
    ) async throws {
        let group = SpaceDescriptor.group(
            owner: host.me.person,
            nonce: Bytes16(
                prefixOf: Digest.entity.hash([UInt8(number % 256), UInt8(number / 256)])))
        try await host.write(
            [
                .create(
                    collection: Groups.notice.name, nonce: host.random.nonce(),
                    fields: [
                        "descriptor": .bytes(group.encoded), "feature": .text(CoreFeatures.id),
                        "name": .text("Group \(number)"), "role": .text("writer"),
                        "word": .text("invited"),
                    ])
            ], in: .between(host.me.person, other.me.person))
    }

    private func openGroups(_ host: TestHost) async throws -> Set<SpaceDescriptor> {
        Set(
            try await host.rows("SELECT descriptor FROM waggle_space WHERE kind = 'group'")
                .compactMap { $0.descriptor("descriptor") })
    }

    @Test func `invitations of one mate open few groups at once and few in an hour`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            var opened: Set<SpaceDescriptor> = []
            for number in 0..<Self.forgedCount {
                try await forge(number, by: ann, to: ben)
                try await network.settle()
                let open = try await openGroups(ben)
                opened.formUnion(open)
                #expect(open.count <= OpenInvitations.perSenderMax)
            }
            #expect(opened.count <= CausedWrites.perPersonAtOnceMax)
            #expect(try await ben.rows("SELECT * FROM waggle_space").count < 50)
            try await network.skip(seconds: 300)
            opened.formUnion(try await openGroups(ben))
            #expect(opened.count <= CausedWrites.perPersonAtOnceMax + 1)
        }
    }

    @Test func `the newest invitations count in the end, and another mate's as well`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let cem = try await network.person(seed: 3, "Cem")
            try await network.setLink(ben, cem, isUp: true)
            try await network.meet(ben, cem, number: 8)
            for number in 0..<Self.forgedCount {
                try await forge(number, by: ann, to: ben)
                try await network.settle()
            }
            let walkers = try await cem.createGroup("Walkers")
            try await cem.invite(ben, to: walkers)
            let last = try await ann.createGroup("The last")
            try await ann.invite(ben, to: last)
            try await network.settle()
            #expect(try await ben.groupState(walkers) == .invited)
            #expect(try await ben.groupState(last) == nil)
            for _ in 0..<40 { try await network.skip(seconds: 300) }
            #expect(try await ben.groupState(last) == .invited)
            #expect(try await openGroups(ben).count <= OpenInvitations.perSenderMax + 1)
            let names = try await ben.call(GroupCommands.list).groups.map(\.name.string)
            #expect(names.contains("Group \(Self.forgedCount - 1)"))
            #expect(!names.contains("Group 0"))
        }
    }

    @Test func `a group that one joined stays open, and one that one ignored is closed`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let joined = try await ann.createGroup("Joined")
            let ignored = try await ann.createGroup("Ignored")
            for group in [joined, ignored] { try await ann.invite(ben, to: group) }
            try await network.settle()
            try await ben.call(GroupCommands.accept, .init(group: NameOrKey(joined)))
            try await network.settle()
            #expect(try await ben.openInvitations() == ["Ann invites you to Ignored"])
            for number in 0..<Self.forgedCount {
                try await forge(number, by: ann, to: ben)
                try await network.settle()
            }
            #expect(try await ben.groupState(joined) == .member)
            #expect(try await ben.groupState(ignored) == nil)
            #expect(try await ben.openInvitations() == [])
            try await ann.addNote("Still here", in: joined)
            try await network.settle()
            #expect(try await ben.notes(in: joined) == ["Still here"])
            // A new invitation brings it back, with its people.
            try await ann.invite(ben, to: ignored)
            for _ in 0..<40 { try await network.skip(seconds: 300) }
            #expect(try await ben.groupState(ignored) == .invited)
            #expect(try await ben.state(of: ann, in: ignored) == .member)
        }
    }

    @Test func `each sender's newest invitation comes before others' further ones`() {
        let senders = (1...3).map { PersonID(raw: Digest.person.hash([UInt8($0)])) }
        let notices = (0..<600).compactMap { number -> Notice? in
            let sender = senders[number % 3]
            let group = SpaceDescriptor.group(
                owner: sender,
                nonce: Bytes16(
                    prefixOf: Digest.entity.hash([UInt8(number % 256), UInt8(number / 256)])))
            return Notice(
                Row([
                    "entity": .bytes(Bytes16(prefixOf: group.id.raw).bytes),
                    "sender": .bytes(sender.bytes), "descriptor": .bytes(group.encoded),
                    "word": .text("invited"), "stamp": .integer(Int64(number)),
                ]))
        }
        #expect(notices.count == 600)
        let open = OpenInvitations(among: notices).notices
        #expect(open.map(\.stamp).prefix(4) == [599, 598, 597, 596])
        #expect(open.count == 3 * OpenInvitations.perSenderMax)
    }

    @Test func `the invitations of one mate that are read are few, however many there are`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            for number in 0..<(Notice.readPerSenderMax + 40) {
                try await forge(number, by: ann, to: ben)
            }
            try await network.settle()
            let read = try await ben.rows("SELECT * FROM neighbours_notices").count
            #expect(read == Notice.readPerSenderMax)
        }
    }
}
