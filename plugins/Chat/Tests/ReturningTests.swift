import PluginKit
import Records
import TestSupport
import Testing

@testable import Chat

/// Who leaves a group and comes back writes in a new log, numbered from 1.
@Suite struct ReturningTests {
    /// Says so many things in the group, which everybody reads, then leaves and comes back.
    private func leaveAndReturn(
        _ company: Company, _ network: TestNetwork, saying count: Int
    ) async throws -> [String] {
        var said: [String] = []
        for number in 0..<count {
            said.append(try await company.cem.say("before \(number)", to: company.group))
        }
        try await network.settle()
        for host in [company.ann, company.ben] { try await host.open(company.group) }
        try await network.settle()
        try await company.cem.run("group", "leave", ["group": .string(company.group)])
        try await network.settle()
        try await company.ann.run(
            "group", "invite",
            ["group": .string(company.group), "person": .string(company.cem.key)])
        try await network.settle()
        try await company.cem.run("group", "accept", ["group": .string(company.group)])
        try await network.settle()
        return said
    }

    /// What the writer is told of a message.
    private func told(
        _ host: TestHost, of id: String, in group: String
    ) async throws -> JSONValue? {
        try await host.open(group, mark: false).messages.first { $0["id"]?.string == id }
    }

    @Test func `what somebody says who left and came back is unread until it is read`()
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
            #expect(try await ann.open(group)["firstUnread"]?.string == back)
            #expect(try await ann.unread(in: group) == 0)
            #expect(try await ann.waiting().isEmpty)
            #expect(try await ann.open(group)["firstUnread"] == nil)
        }
    }

    @Test func `who came back is told of each log how far it was read`() async throws {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, ben, cem, group) = (company.ann, company.ben, company.cem, company.group)
            let before = try await leaveAndReturn(company, network, saying: 5)
            let back = try await cem.say("back", to: group)
            try await network.settle()
            for id in before {
                #expect(try await told(cem, of: id, in: group)?["state"] == "read")
            }
            #expect(try await told(cem, of: back, in: group)?["read"] == 0)
            #expect(try await told(cem, of: back, in: group)?["state"] == "delivered")
            try await ann.open(group)
            try await network.settle()
            #expect(try await told(cem, of: back, in: group)?["read"] == 1)
            try await ben.open(group)
            try await network.settle()
            #expect(try await told(cem, of: back, in: group)?["state"] == "read")
        }
    }

    @Test func `who came back has read what they had read before`() async throws {
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
            #expect(try await cem.open(group)["firstUnread"]?.string == new)
            try await network.settle()
            #expect(try await told(ann, of: new, in: group)?["read"] == 1)
        }
    }

    @Test func `a log is read by one record a device, however often it is read`() async throws {
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

    @Test func `a record without a branch is of the main log, and goes on`() async throws {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, cem, group) = (company.ann, company.cem, company.group)
            let space = try #require(
                try await ann.rows("SELECT descriptor FROM waggle_space WHERE kind = 'group'")
                    .first?.descriptor("descriptor"))
            let first = try await cem.say("first", to: group)
            try await network.settle()
            // As programs wrote it that knew of no branches.
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
            #expect(try await told(cem, of: first, in: group)?["read"] == 1)
            _ = try await leaveAndReturn(company, network, saying: 0)
            let back = try await cem.say("back", to: group)
            try await network.settle()
            #expect(try await ann.unread(in: group) == 1)
            #expect(try await told(cem, of: back, in: group)?["read"] == 0)
        }
    }
}
