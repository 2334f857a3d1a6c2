import PluginKit
import Records
import TestSupport
import Testing

@testable import Neighbours

@Suite struct InboxTests {
    private func item(_ reference: String, title: String = "A title") -> InboxItem {
        InboxItem(kind: "test", reference: reference, title: title, body: "", actions: ["accept"])
    }

    private func items(_ host: TestHost) async throws -> [JSONValue] {
        try await host.run("inbox", "list")["items"]?.array ?? []
    }

    @Test func `a later item of one kind and reference replaces the earlier`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.neighbours.postToInbox(item("1", title: "Old"))
            try await ann.neighbours.postToInbox(item("2", title: "Other"))
            try await ann.neighbours.postToInbox(item("1", title: "New"))
            #expect(
                Set(try await items(ann).compactMap { $0["title"]?.string }) == ["New", "Other"])
        }
    }

    @Test func `a handled item stays, without actions`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.neighbours.postToInbox(item("1"))
            let id = try #require(try await items(ann).first?["id"]?.string)
            #expect(try await items(ann).first?["actions"] == ["accept"])
            try await ann.run("inbox", "handle", ["id": .string(id)])
            #expect(try await items(ann).map { $0["handled"] } == [true])
            #expect(try await items(ann).first?["actions"] == [])
        }
    }

    @Test func `settling a reference handles its items`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.neighbours.postToInbox(item("1"))
            try await ann.neighbours.settleInbox(reference: "1")
            #expect(try await items(ann).map { $0["handled"] } == [true])
        }
    }

    @Test func `what comes from somebody is not shown while I block them`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let ben = try await network.person(seed: 2, "Ben")
            let news = { (title: String, person: PersonID?) in
                InboxItem(
                    kind: "test", reference: "1", title: title, body: "", actions: [], from: person)
            }
            try await ann.neighbours.postToInbox(news("From Ben", ben.me.person))
            try await ann.neighbours.postToInbox(item("2", title: "From nobody"))
            let key: JSONValue = .string(ben.me.person.description)
            try await network.settle()
            _ = ann.takeEvents()
            try await ann.run("mates", "block", ["person": key, "reason": "other"])
            try await network.settle()
            #expect(ann.takeEvents().contains("inbox"))
            #expect(try await items(ann).map { $0["title"] } == ["From nobody"])
            try await ann.run("mates", "unblock", ["person": key])
            #expect(try await items(ann).count == 2)
            // The same item may come from somebody else later.
            try await ann.run("mates", "block", ["person": key, "reason": "other"])
            try await ann.neighbours.postToInbox(news("From nobody, too", nil))
            #expect(try await items(ann).count == 2)
        }
    }

    @Test func `an item that is not there is not found`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            for id in ["", "zz", String(repeating: "0", count: 32)] {
                await #expect(
                    throws: CommandFault.notFound(
                        "There is no inbox item \(id); see 'inbox list'.")
                ) { try await ann.run("inbox", "handle", ["id": .string(id)]) }
            }
        }
    }

    @Test func `a reference of 128 bytes is taken and of 129 refused`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.neighbours.postToInbox(item(String(repeating: "r", count: 128)))
            await #expect(throws: CommandFault.self) {
                try await ann.neighbours.postToInbox(item(String(repeating: "r", count: 129)))
            }
        }
    }
}
