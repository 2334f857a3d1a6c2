import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

@Suite struct InboxTests {
    private func item(_ reference: String, title: Sentence = "A title") -> InboxItem {
        InboxItem(kind: "test", reference: reference, title: title, body: "", actions: ["accept"])
    }

    @Test func `a later item of one kind and reference replaces the earlier`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.features.postToInbox(item("1", title: "Old"))
            try await ann.features.postToInbox(item("2", title: "Other"))
            try await ann.features.postToInbox(item("1", title: "New"))
            #expect(Set(try await ann.inboxItems().map { $0.title.string }) == ["New", "Other"])
        }
    }

    @Test func `a handled item stays, without actions`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.features.postToInbox(item("1"))
            let id = try #require(try await ann.inboxItems().first?.id)
            #expect(try await ann.inboxItems().first?.actions == ["accept"])
            try await ann.call(InboxCommands.handle, .init(id: RecordPrefix(id)))
            #expect(try await ann.inboxItems().map(\.handled) == [true])
            #expect(try await ann.inboxItems().first?.actions == [])
        }
    }

    @Test func `an item names the person it comes from, stored or only shown`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let ben = try await network.person(seed: 2, "Ben")
            try await ann.features.postToInbox(item("1"))
            #expect(try await ann.inboxItems().map(\.person) == [nil])
            for reference in ["1", "2"] {
                let news = InboxItem(
                    kind: "test", reference: reference, title: "News", body: "", actions: [],
                    from: ben.me.person)
                if reference == "1" {
                    try await ann.features.postToInbox(news)
                } else {
                    try await ann.features.showInInbox(news)
                }
            }
            let ofBen = Key(ben.me.person)
            #expect(try await ann.inboxItems().map(\.person) == [ofBen, ofBen])
        }
    }

    @Test func `settling a reference handles its items`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.features.postToInbox(item("1"))
            try await ann.features.settleInbox(reference: "1")
            #expect(try await ann.inboxItems().map(\.handled) == [true])
        }
    }

    @Test func `an item from a person is not shown while I block them`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let ben = try await network.person(seed: 2, "Ben")
            let news = { (title: Sentence, person: PersonID?) in
                InboxItem(
                    kind: "test", reference: "1", title: title, body: "", actions: [], from: person)
            }
            try await ann.features.postToInbox(news("From Ben", ben.me.person))
            try await ann.features.postToInbox(item("2", title: "From nobody"))
            try await network.settle()
            _ = ann.drainEvents()
            try await ann.block(ben, because: .other)
            try await network.settle()
            #expect(ann.drainEvents().contains("inbox"))
            #expect(try await ann.inboxItems().map(\.title) == ["From nobody"])
            try await ann.call(MateCommands.unblock, .init(person: NameOrKey(ben.me.person)))
            #expect(try await ann.inboxItems().count == 2)
            // The same item may come from another person later.
            try await ann.block(ben, because: .other)
            try await ann.features.postToInbox(news("From nobody, too", nil))
            #expect(try await ann.inboxItems().count == 2)
        }
    }

    @Test func `a shown item is listed, handled and settled, and never stored`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            for title in ["Old", "New"] as [Sentence] {
                try await ann.features.showInInbox(item("1", title: title))
            }
            try await ann.features.showInInbox(item("2", title: "Other"))
            #expect(Set(try await ann.inboxItems().map { $0.title.string }) == ["New", "Other"])
            try await ann.features.settleInbox(reference: "1")
            let id = try #require(try await ann.inboxItems().first?.id)
            try await ann.call(InboxCommands.handle, .init(id: RecordPrefix(id)))
            #expect(try await ann.inboxItems().isEmpty)
            #expect(try await ann.rows("SELECT entity FROM neighbours_inbox").isEmpty)
        }
    }

    @Test func `a shown item of a blocked person is not listed`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let ben = try await network.person(seed: 2, "Ben")
            try await ann.features.showInInbox(
                InboxItem(
                    kind: "test", reference: "1", title: "From Ben", body: "", actions: [],
                    from: ben.me.person))
            try await ann.block(ben, because: .other)
            try await network.settle()
            #expect(try await ann.inboxItems().isEmpty)
        }
    }

    @Test func `the newest sixteen shown items are listed`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            for number in 1...17 {
                try await ann.features.showInInbox(item("\(number)", title: "\(number)"))
            }
            let titles = Set(try await ann.inboxItems().map { $0.title.string })
            #expect(titles == Set((2...17).map(String.init)))
        }
    }

    @Test func `two hundred items from one person leave the others in the list`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let ben = try await network.person(seed: 2, "Ben")
            try await ann.features.postToInbox(item("first", title: "From nobody"))
            try await network.pass(seconds: 1)
            for number in 0..<InboxLimits.listedCountMax {
                try await ann.features.postToInbox(
                    InboxItem(
                        kind: "test", reference: "\(number)", title: "From Ben", body: "",
                        actions: [], from: ben.me.person))
            }
            let items = try await ann.inboxItems()
            // The rest of Ben's items waited too long.
            let listed = CausedWrites.perPersonAtOnceMax + InboxLimits.waitingPerPersonMax + 1
            #expect(items.count == listed)
            #expect(items.last?.title == "From nobody")
        }
    }

    @Test func `an item that is not there is not found`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let id = RecordKey.example
            await #expect(
                throws: CommandFault.notFound("There is no inbox item \(id); see 'inbox list'.")
            ) { try await ann.call(InboxCommands.handle, .init(id: RecordPrefix(id))) }
            for text in ["", "zz"] {
                await #expect(
                    throws: CommandFault.usage(
                        "'id' must be 6 to 32 hexadecimal digits", field: "id")
                ) {
                    try await ann.answer(
                        to: InboxCommands.handle.declaration, ["id": .string(text)])
                }
            }
        }
    }

    @Test func `a reference of 128 bytes is accepted and of 129 refused`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.features.postToInbox(item(String(repeating: "r", count: 128)))
            await #expect(throws: CommandFault.self) {
                try await ann.features.postToInbox(item(String(repeating: "r", count: 129)))
            }
        }
    }
}
