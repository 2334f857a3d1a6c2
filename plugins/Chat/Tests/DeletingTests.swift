import ChatAPI
import FeaturesAPI
import PluginKit
import TestSupport
import Testing

@testable import Chat

/// Deleting for oneself hides a message; deleting for everybody erases its text on every replica.
@Suite struct DeletingTests {
    @Test func `a message deleted for oneself is still shown to the other person`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("산책 one", to: ben.key)
            let id = try await ann.say("산책 two", to: ben.key)
            try await network.settle()
            try await ben.delete(id, forEveryone: false)
            try await network.settle()
            #expect(try await ben.texts(in: ann.key) == ["산책 one"])
            #expect(try await ben.room(ann.key)?.lastText == "산책 one")
            #expect(try await ben.unread(in: ann.key) == 1)
            #expect(try await ben.found("산책") == ["산책 one"])
            #expect(try await ann.texts(in: ben.key) == ["산책 one", "산책 two"])
            await #expect(throws: CommandFault.self) {
                try await ben.delete(id, forEveryone: false)
            }
        }
    }

    @Test func `a message deleted for everybody leaves no copy, and no search finds it`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("산책 one", to: ben.key)
            let id = try await ann.say("산책 two", to: ben.key)
            // Ben answers with knowledge of both messages, so his answer is sorted after them;
            // written in the same millisecond without it, it could be sorted before.
            try await network.settle()
            try await ben.say("산책 three", to: ann.key)
            try await network.settle()
            try await ann.delete(id, forEveryone: true)
            #expect(try await ann.texts(in: ben.key).count == 2)
            _ = ben.drainEvents()
            try await network.settle()
            for (one, other) in [(ann, ben), (ben, ann)] {
                #expect(try await one.texts(in: other.key) == ["산책 one", "산책 three"])
                #expect(try await one.found("산책").sorted() == ["산책 one", "산책 three"])
                let rows = try await one.rows(
                    "SELECT count(*) AS n FROM batch WHERE instr(body, CAST('two' AS BLOB)) > 0")
                #expect(rows[0].integer("n") == 0)
            }
            #expect(ben.drainEvents().contains("chat"))
        }
    }

    @Test func `a member who is offline loses a deleted message without having seen it`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await network.setLink(ann, ben, isUp: false)
            let id = try await ann.say("never", to: ben.key)
            try await ann.delete(id, forEveryone: true)
            try await ann.say("but this", to: ben.key)
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await ben.texts(in: ann.key) == ["but this"])
            #expect(try await ben.unread(in: ann.key) == 1)
        }
    }

    @Test func `the first six digits of an id name a message`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let id = try await ann.say("first", to: ben.key)
            try await ann.say("second", to: ben.key)
            let prefix = try RecordPrefix(String(id.string.prefix(6)))
            try await ann.call(ChatCommands.delete, .init(id: prefix, forEveryone: true))
            try await network.settle()
            #expect(try await ann.texts(in: ben.key) == ["second"])
            #expect(try await ben.texts(in: ann.key) == ["second"])
        }
    }

    @Test func `only its author deletes a message for everybody`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let id = try await ann.say("mine", to: ben.key)
            try await network.settle()
            do {
                try await ben.delete(id, forEveryone: true)
                Issue.record("it was let through")
            } catch CommandFault.refused {}
            try await network.settle()
            #expect(try await ben.texts(in: ann.key) == ["mine"])
        }
    }

    /// Returns the reason why a message was not deleted for everybody; nil if it was.
    private func refusal(of id: RecordKey, by host: TestHost) async throws -> String? {
        do {
            try await host.delete(id, forEveryone: true)
            return nil
        } catch CommandFault.refused(let sentence) {
            return sentence.english
        }
    }

    @Test func `a member who may no longer write in a group deletes there only for themselves`()
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
            try await ben.call(GroupCommands.leave, .init(group: group))
            try await ann.call(
                GroupCommands.invite, .init(group: group, person: cem.key, role: .reader))
            try await network.settle()
            let out = "You are not in this group any more"
            let reader = "You may only read in this group"
            let end = ", so the others keep it; you can delete it for yourself."
            #expect(try await refusal(of: first, by: ben) == out + end)
            #expect(try await refusal(of: second, by: cem) == reader + end)
            try await ben.delete(first, forEveryone: false)
            try await cem.delete(second, forEveryone: false)
            try await network.settle()
            #expect(try await ann.texts(in: group) == ["Ann's", "Ben's", "Cem's"])
            #expect(try await ben.texts(in: group) == ["Ann's", "Cem's"])
            #expect(try await cem.texts(in: group) == ["Ann's", "Ben's"])
        }
    }

    @Test func `a former mate keeps a message that the other person deletes`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let hers = try await ann.say("hers", to: ben.key)
            try await network.settle()
            let his = try await ben.say("his", to: ann.key)
            try await network.settle()
            try await ben.call(MateCommands.remove, .init(person: ann.key))
            try await network.settle()
            let sentence =
                "You are not mates any more, so the other person keeps it; "
                + "you can delete it for yourself."
            for (host, id) in [(ann, hers), (ben, his)] {
                #expect(try await refusal(of: id, by: host) == sentence)
                try await host.delete(id, forEveryone: false)
            }
            try await network.settle()
            #expect(try await ann.texts(in: ben.key) == ["his"])
            #expect(try await ben.texts(in: ann.key) == ["hers"])
        }
    }

    @Test func `a message whose room is no longer listed is deleted for oneself`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let id = try await ann.say("mine", to: ben.key)
            try await network.settle()
            try await ann.call(MateCommands.block, .init(person: ben.key, reason: .other))
            try await network.settle()
            #expect(try await ann.room(ben.key) == nil)
            #expect(try await refusal(of: id, by: ann) != nil)
            #expect(try await ann.rows("SELECT * FROM chat_shown").count == 1)
            try await ann.delete(id, forEveryone: false)
            #expect(try await ann.rows("SELECT * FROM chat_shown").isEmpty)
            #expect(try await ben.texts(in: ann.key) == ["mine"])
        }
    }

    @Test(arguments: ["", "12", "zz", String(repeating: "0", count: 33)])
    func `a text that names no message is refused`(id: String) async throws {
        try await TestNetwork.with { network in
            let (ann, _) = try await network.talkers()
            do {
                _ = try await ann.answer(
                    to: ChatCommands.delete.declaration, ["id": .string(id), "forEveryone": true])
                Issue.record("it was let through")
            } catch CommandFault.usage {}
        }
    }

    @Test func `a message that does not exist here is not found`() async throws {
        try await TestNetwork.with { network in
            let (ann, _) = try await network.talkers()
            let id = try RecordKey(String(repeating: "0", count: 32))
            await #expect(
                throws: CommandFault.notFound("There is no message \(id); see 'chat open'.")
            ) { try await ann.delete(id, forEveryone: false) }
        }
    }
}
