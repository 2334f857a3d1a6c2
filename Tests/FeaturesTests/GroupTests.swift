import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

@Suite struct GroupTests {
    @Test func `an invitation appears in the inbox and disappears when it is accepted`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let group = try await ann.createGroup("Walkers")
            try await ann.invite(ben, to: group)
            try await network.settle()
            #expect(try await ben.groupState(group) == .invited)
            #expect(try await ben.openInvitations() == ["Ann invites you to Walkers"])
            #expect(try await ann.state(of: ben, in: group) == .invited)
            try await ben.call(GroupCommands.accept, .init(group: NameOrKey(group)))
            try await network.settle()
            #expect(try await ben.groupState(group) == .member)
            #expect(try await ben.openInvitations() == [])
            #expect(try await ann.state(of: ben, in: group) == .member)
        }
    }

    @Test func `an invitation is answered by its own id, as the inbox shows it`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let group = try await ann.createGroup("Walkers")
            try await ann.invite(ben, to: group)
            try await network.settle()
            let items = try await ben.inboxItems()
            let reference = try #require(items.first { $0.kind == "group" }?.ref?.string)
            try await ben.call(GroupCommands.decline, .init(group: NameOrKey(reference)))
            try await network.settle()
            #expect(try await ben.groupState(group) == .left)
            #expect(try await ann.state(of: ben, in: group) == .left)
            #expect(try await ben.openInvitations() == [])
        }
    }

    @Test func `until the group's own records arrive it is awaited`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let group = try await ann.createGroup("Walkers")
            try await network.setLink(ann, ben, isUp: false)
            try await ann.invite(ben, to: group)
            try await network.copy(.between(ann.me.person, ben.me.person), ann, ben)
            try await network.settle()
            #expect(try await ben.groupState(group) == .awaited)
            #expect(try await ben.openInvitations() == [])
            await #expect(throws: CommandFault.conflict(GroupState.awaited.sentence)) {
                try await ben.call(GroupCommands.accept, .init(group: NameOrKey(group)))
            }
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await ben.groupState(group) == .invited)
        }
    }

    @Test func `notes reach all members with a name, also members who are not mates`() async throws
    {
        try await TestNetwork.with { network in
            let company = try await Company.of(network)
            let group = company.group
            for (host, text) in [
                (company.ann, "from Ann"), (company.ben, "from Ben"), (company.cem, "from Cem"),
            ] { try await host.addNote(text, in: group) }
            try await network.settle()
            for host in [company.ann, company.ben, company.cem] {
                #expect(try await host.notes(in: group) == ["from Ann", "from Ben", "from Cem"])
            }
            let cem = try await company.ben.entry(of: company.cem, in: group)
            #expect(cem?.name == "Cem · \(company.cem.me.person.suffix)")
            #expect(try await company.ben.relation(to: company.cem) == .stranger)
        }
    }

    @Test func `members who are not mates exchange the group without its owner`() async throws {
        try await TestNetwork.with { network in
            let company = try await Company.of(network)
            try await network.setLink(company.ann, company.ben, isUp: false)
            try await network.setLink(company.ann, company.cem, isUp: false)
            try await company.ben.addNote("while Ann is away", in: company.group)
            try await network.settle()
            #expect(try await company.cem.notes(in: company.group) == ["while Ann is away"])
            #expect(try await company.ann.notes(in: company.group) == [])
        }
    }

    @Test func `notes that a removed person writes apart are void, and the person learns it`()
        async throws
    {
        try await TestNetwork.with { network in
            let company = try await Company.of(network)
            let group = company.group
            try await company.cem.addNote("before", in: group)
            try await network.settle()
            try await company.setCem(isLinked: false)
            try await company.ann.remove(company.cem, from: group)
            try await company.cem.addNote("beyond", in: group)
            try await company.ben.addNote("after", in: group)
            try await company.setCem(isLinked: true)
            for host in [company.ann, company.ben] {
                #expect(try await host.notes(in: group) == ["after", "before"])
                #expect(try await host.state(of: company.cem, in: group) == .removed)
            }
            #expect(try await company.cem.notes(in: group) == ["before", "beyond"])
            #expect(try await company.cem.groupState(group) == .removed)
            await #expect(throws: CommandFault.refused(GroupState.removed.sentence)) {
                try await company.cem.addNote("again", in: group)
            }
        }
    }

    @Test func `a person invited again after a removal writes and reads again`() async throws {
        try await TestNetwork.with { network in
            let company = try await Company.of(network)
            let group = company.group
            try await company.ann.remove(company.cem, from: group)
            try await network.settle()
            try await company.ann.addNote("without Cem", in: group)
            try await network.settle()
            #expect(try await company.cem.notes(in: group) == [])
            try await company.ann.invite(company.cem, to: group)
            try await network.settle()
            #expect(try await company.cem.groupState(group) == .member)
            try await company.cem.addNote("back", in: group)
            try await network.settle()
            for host in [company.ann, company.ben, company.cem] {
                #expect(try await host.notes(in: group) == ["back", "without Cem"])
            }
        }
    }

    @Test func `a person who left receives nothing more, and their notes stay`() async throws {
        try await TestNetwork.with { network in
            let company = try await Company.of(network)
            let group = company.group
            try await company.cem.addNote("I was here", in: group)
            try await network.settle()
            try await company.cem.call(GroupCommands.leave, .init(group: NameOrKey(group)))
            try await network.settle()
            try await company.ann.addNote("Cem is gone", in: group)
            try await network.settle()
            #expect(try await company.ben.notes(in: group) == ["Cem is gone", "I was here"])
            #expect(try await company.ben.state(of: company.cem, in: group) == .left)
            #expect(try await company.cem.notes(in: group) == ["I was here"])
            #expect(try await company.cem.groupState(group) == .left)
        }
    }

    @Test func `a removal by another owner reaches the removed person through their inviter`()
        async throws
    {
        try await TestNetwork.with { network in
            let company = try await Company.of(network)
            let group = company.group
            try await company.ann.invite(company.ben, to: group, as: .owner)
            try await network.settle()
            try await company.setCem(isLinked: false)
            try await company.ben.remove(company.cem, from: group)
            try await network.settle()
            try await network.setLink(company.ann, company.cem, isUp: true)
            #expect(try await company.cem.groupState(group) == .removed)
        }
    }
}
