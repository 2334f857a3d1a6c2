import ChatAPI
import Features
import FeaturesAPI
import PluginKit
import TestSupport
import Testing

@testable import Chat

/// The notices of messages on the desktop.
@Suite struct MessageNoticeTests {
    @Test func `a message is shown with its text, and the next one in its place`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("Hello", to: ben.key)
            try await network.settle()
            let first = try #require(ben.drainNotices().first)
            #expect(first.title == "New message from Ann" && first.body == "Hello")
            #expect(first.withoutText == "New message from Ann" && first.actions.isEmpty)
            #expect(first.person == ann.me.person)
            try await ann.say("Are you there?", to: ben.key)
            try await network.settle()
            let second = try #require(ben.drainNotices().first)
            #expect(second.title == "2 new messages from Ann" && second.body == "Are you there?")
            #expect(second.subject == first.subject)
            #expect(ann.drainNotices().isEmpty, "an own message is no news")
        }
    }

    @Test func `opening the room handles the item, which withdraws the notice`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("Hello", to: ben.key)
            try await network.settle()
            let subject = try #require(ben.drainNotices().first?.subject)
            try await ben.open(ann.key)
            try await network.settle()
            let core = try #require(ben.plugin(CoreFeatures.self))
            let references = try await core.inboxReferences(
                ofKind: subject.kind, among: [subject.reference])
            #expect(references == [subject.reference: true])
        }
    }

    @Test func `in a group the sender is named, and without text the group is not`() async throws {
        try await TestNetwork.with { network in
            let company = try await network.company()
            _ = company.ben.drainNotices()
            try await company.ann.say("Saturday?", to: company.group)
            try await network.settle()
            let notice = try #require(company.ben.drainNotices().first)
            #expect(notice.title == "New message in Walkers")
            #expect(notice.body == "Ann: Saturday?")
            #expect(notice.withoutText == "New message in a group")
        }
    }

    @Test func `after a restart an unread room is not shown again`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await ann.say("Hello", to: ben.key)
            try await network.settle()
            _ = ben.drainNotices()
            await ben.start()
            try await network.settle()
            #expect(ben.drainNotices().isEmpty)
        }
    }
}
