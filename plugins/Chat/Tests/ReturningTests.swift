import ChatAPI
import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Chat

/// A person who leaves a group and comes back writes in a new log, numbered from 1.
@Suite struct ReturningTests {
    /// Writes the given number of messages in the group, waits until all members read them, then
    /// leaves and comes back.
    private func leaveAndReturn(
        _ company: Company, _ network: TestNetwork, saying count: Int
    ) async throws -> [RecordKey] {
        var said: [RecordKey] = []
        for number in 0..<count {
            said.append(try await company.cem.say("before \(number)", to: company.group))
        }
        try await network.settle()
        for host in [company.ann, company.ben] { try await host.open(company.group) }
        try await network.settle()
        try await company.cem.call(GroupCommands.leave, .init(group: company.group))
        try await network.settle()
        try await company.ann.call(
            GroupCommands.invite, .init(group: company.group, person: company.cem.key))
        try await network.settle()
        try await company.cem.call(GroupCommands.accept, .init(group: company.group))
        try await network.settle()
        return said
    }

    @Test func `a message from a person who left and came back is unread until it is read`()
        async throws
    {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, cem, group) = (company.ann, company.cem, company.group)
            _ = try await leaveAndReturn(company, network, saying: 5)
            #expect(try await ann.unread(in: group) == 0)
            let back = try await cem.say("back", to: group)
            try await cem.say("again", to: group)
            try await network.settle()
            #expect(try await ann.unread(in: group) == 2)
            #expect(try await ann.waiting().count == 1)
            #expect(try await ann.open(group).firstUnread == back)
            #expect(try await ann.unread(in: group) == 0)
            #expect(try await ann.waiting().isEmpty)
            #expect(try await ann.open(group).firstUnread == nil)
        }
    }

    @Test func `a person who came back learns for each log how far it was read`() async throws {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, ben, cem, group) = (company.ann, company.ben, company.cem, company.group)
            let before = try await leaveAndReturn(company, network, saying: 5)
            let back = try await cem.say("back", to: group)
            try await network.settle()
            for id in before {
                #expect(try await cem.message(id, in: group)?.state == .read)
            }
            #expect(try await cem.message(back, in: group)?.read == 0)
            #expect(try await cem.message(back, in: group)?.state == .delivered)
            try await ann.open(group)
            try await network.settle()
            #expect(try await cem.message(back, in: group)?.read == 1)
            try await ben.open(group)
            try await network.settle()
            #expect(try await cem.message(back, in: group)?.state == .read)
        }
    }

    @Test func `a person who came back has still read the messages that they had read before`()
        async throws
    {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, cem, group) = (company.ann, company.cem, company.group)
            try await ann.say("old", to: group)
            try await network.settle()
            try await cem.open(group)
            _ = try await leaveAndReturn(company, network, saying: 1)
            #expect(try await cem.unread(in: group) == 0)
            let new = try await ann.say("new", to: group)
            try await network.settle()
            #expect(try await cem.unread(in: group) == 1)
            #expect(try await cem.open(group).firstUnread == new)
            try await network.settle()
            #expect(try await ann.message(new, in: group)?.read == 1)
        }
    }

    @Test func `a log is read by one record per device, however often it is read`() async throws {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, cem, group) = (company.ann, company.cem, company.group)
            _ = try await leaveAndReturn(company, network, saying: 2)
            for number in 0..<3 {
                try await cem.say("back \(number)", to: group)
                try await network.settle()
                try await ann.open(group)
            }
            let rows = try await ann.rows(
                "SELECT branch FROM chat_reading WHERE creator = ? AND device = ?",
                [.bytes(ann.me.person.bytes), .bytes(cem.me.device.bytes)])
            #expect(rows.count == 2)
            #expect(rows.count { $0.bytes("branch") == nil } == 1)
        }
    }

    @Test func `a record without a branch is for the main log, and still counts`() async throws {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, cem, group) = (company.ann, company.cem, company.group)
            let space = try #require(
                try await ann.rows("SELECT descriptor FROM waggle_space WHERE kind = 'group'")
                    .first?.descriptor("descriptor"))
            let first = try await cem.say("first", to: group)
            try await network.settle()
            // As programs wrote it that did not know branches.
            try await ann.write(
                [
                    .create(
                        collection: Chat.reading.name, nonce: ann.random.nonce(),
                        fields: [
                            "device": .bytes(cem.me.device.bytes), "reached": .integer(50),
                        ])
                ], in: space)
            try await network.settle()
            #expect(try await ann.unread(in: group) == 0)
            #expect(try await cem.message(first, in: group)?.read == 1)
            _ = try await leaveAndReturn(company, network, saying: 0)
            let back = try await cem.say("back", to: group)
            try await network.settle()
            #expect(try await ann.unread(in: group) == 1)
            #expect(try await cem.message(back, in: group)?.read == 0)
        }
    }
}
