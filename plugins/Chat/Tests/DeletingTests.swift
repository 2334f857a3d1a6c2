import PluginKit
import TestSupport
import Testing

@testable import Chat

/// Deleting for oneself hides; deleting for everybody takes the text from every replica.
@Suite struct DeletingTests {
    private func delete(
        _ id: String, forEveryone: Bool, by host: TestHost
    ) async throws {
        try await host.run(
            "chat", "delete", ["id": .string(id), "forEveryone": .boolean(forEveryone)])
    }

    @Test func `a message deleted for oneself is shown to the other still`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("산책 one", to: ben.key)
            let id = try await ann.say("산책 two", to: ben.key)
            try await network.settle()
            try await delete(id, forEveryone: false, by: ben)
            try await network.settle()
            #expect(try await ben.texts(in: ann.key) == ["산책 one"])
            #expect(try await ben.room(ann.key)?["lastText"] == "산책 one")
            #expect(try await ben.unread(in: ann.key) == 1)
            #expect(try await ben.found("산책") == ["산책 one"])
            #expect(try await ann.texts(in: ben.key) == ["산책 one", "산책 two"])
            await #expect(throws: CommandFault.self) {
                try await delete(id, forEveryone: false, by: ben)
            }
        }
    }

    @Test func `a message deleted for everybody is nowhere, and is found by nobody`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("산책 one", to: ben.key)
            let id = try await ann.say("산책 two", to: ben.key)
            // What Ben answers knowing of both stands after them; of one moment, it could stand
            // before.
            try await network.settle()
            try await ben.say("산책 three", to: ann.key)
            try await network.settle()
            try await delete(id, forEveryone: true, by: ann)
            #expect(try await ann.texts(in: ben.key).count == 2)
            _ = ben.takeEvents()
            try await network.settle()
            for (one, other) in [(ann, ben), (ben, ann)] {
                #expect(try await one.texts(in: other.key) == ["산책 one", "산책 three"])
                #expect(try await one.found("산책").sorted() == ["산책 one", "산책 three"])
                let rows = try await one.rows(
                    "SELECT count(*) AS n FROM batch WHERE instr(body, CAST('two' AS BLOB)) > 0")
                #expect(rows[0].integer("n") == 0)
            }
            #expect(ben.takeEvents().contains("chat"))
        }
    }

    @Test func `one who is away loses a deleted message without having seen it`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await network.setLink(ann, ben, isUp: false)
            let id = try await ann.say("never", to: ben.key)
            try await delete(id, forEveryone: true, by: ann)
            try await ann.say("but this", to: ben.key)
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await ben.texts(in: ann.key) == ["but this"])
            #expect(try await ben.unread(in: ann.key) == 1)
        }
    }

    @Test func `only its author takes a message from everybody`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let id = try await ann.say("mine", to: ben.key)
            try await network.settle()
            do {
                try await delete(id, forEveryone: true, by: ben)
                Issue.record("it was let through")
            } catch CommandFault.refused {}
            try await network.settle()
            #expect(try await ben.texts(in: ann.key) == ["mine"])
        }
    }

    /// What is said against taking a message from everybody; nil where it was taken.
    private func refusal(of id: String, by host: TestHost) async throws -> String? {
        do {
            try await delete(id, forEveryone: true, by: host)
            return nil
        } catch CommandFault.refused(let sentence) {
            return sentence
        }
    }

    @Test func `who may not write in a group any more deletes there for themselves alone`()
        async throws
    {
        try await TestNetwork.with { network in
            let company = try await network.company()
            let (ann, ben, cem, group) = (company.ann, company.ben, company.cem, company.group)
            try await ann.say("Ann's", to: group)
            try await network.settle()
            let first = try await ben.say("Ben's", to: group)
            try await network.settle()
            let second = try await cem.say("Cem's", to: group)
            try await network.settle()
            try await ben.run("group", "leave", ["group": .string(group)])
            try await ann.run(
                "group", "invite",
                ["group": .string(group), "person": .string(cem.key), "role": "reader"])
            try await network.settle()
            let (out, reader) = ("You are in this group no more", "You may only read in this group")
            let end = ", and the others keep it; you can delete it for yourself."
            #expect(try await refusal(of: first, by: ben) == out + end)
            #expect(try await refusal(of: second, by: cem) == reader + end)
            try await delete(first, forEveryone: false, by: ben)
            try await delete(second, forEveryone: false, by: cem)
            try await network.settle()
            #expect(try await ann.texts(in: group) == ["Ann's", "Ben's", "Cem's"])
            #expect(try await ben.texts(in: group) == ["Ann's", "Cem's"])
            #expect(try await cem.texts(in: group) == ["Ann's", "Ben's"])
        }
    }

    @Test func `who is no mate any more keeps what the other deletes`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let hers = try await ann.say("hers", to: ben.key)
            try await network.settle()
            let his = try await ben.say("his", to: ann.key)
            try await network.settle()
            try await ben.run("mates", "remove", ["person": .string(ann.key)])
            try await network.settle()
            let sentence =
                "You are no mates any more, and the other keeps it; you can delete it for yourself."
            for (host, id) in [(ann, hers), (ben, his)] {
                #expect(try await refusal(of: id, by: host) == sentence)
                try await delete(id, forEveryone: false, by: host)
            }
            try await network.settle()
            #expect(try await ann.texts(in: ben.key) == ["his"])
            #expect(try await ben.texts(in: ann.key) == ["hers"])
        }
    }

    @Test func `a message whose room is not listed any more is deleted for oneself`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let id = try await ann.say("mine", to: ben.key)
            try await network.settle()
            try await ann.run("mates", "block", ["person": .string(ben.key), "reason": "other"])
            try await network.settle()
            #expect(try await ann.room(ben.key) == nil)
            #expect(try await refusal(of: id, by: ann) != nil)
            #expect(try await ann.rows("SELECT * FROM chat_shown").count == 1)
            try await delete(id, forEveryone: false, by: ann)
            #expect(try await ann.rows("SELECT * FROM chat_shown").isEmpty)
            #expect(try await ben.texts(in: ann.key) == ["mine"])
        }
    }

    @Test(arguments: ["", "12", "zz", String(repeating: "0", count: 33)])
    func `a text that names no message is refused`(id: String) async throws {
        try await TestNetwork.with { network in
            let (ann, _) = try await network.talkers()
            do {
                try await delete(id, forEveryone: true, by: ann)
                Issue.record("it was let through")
            } catch CommandFault.usage {}
        }
    }

    @Test func `a message that is not here is not found`() async throws {
        try await TestNetwork.with { network in
            let (ann, _) = try await network.talkers()
            do {
                try await delete(String(repeating: "0", count: 32), forEveryone: false, by: ann)
                Issue.record("it was let through")
            } catch CommandFault.notFound {}
        }
    }
}
