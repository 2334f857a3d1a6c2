import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

/// The news of a walk request for both people, in the inbox and on the desktop.
@Suite struct WalkNoticeTests {
    /// Returns the titles of a host's open inbox items, newest first.
    private func open(_ host: TestHost) async throws -> [String] {
        try await host.inboxItems().filter { !$0.handled }.map { $0.title.string }
    }

    private func titles(_ host: TestHost) -> [String] { host.drainNotices().map(\.title.english) }

    /// Ann's request to Ben, whose notice was shown.
    private func asked(
        _ network: TestNetwork
    ) async throws -> (ann: TestHost, ben: TestHost, id: RecordKey) {
        let (ann, ben) = try await network.mates()
        _ = (ann.drainNotices(), ben.drainNotices())
        let id = try await ann.ask(ben, message: "To the river?")
        try await network.settle()
        return (ann, ben, id)
    }

    @Test func `the receiver is asked with two buttons, and the sender is told nothing yet`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben, id) = try await asked(network)
            let notice = try #require(ben.drainNotices().first)
            #expect(notice.subject == InboxSubject("walk", id.string))
            #expect(notice.title == "Ann asks for a walk" && notice.body == "To the river?")
            #expect(notice.person == ann.me.person)
            #expect(notice.actions.map(\.label) == ["Accept", "Decline"])
            #expect(titles(ann).isEmpty)
            #expect(try await open(ann).isEmpty)
        }
    }

    @Test func `a mate without a name is not called by the digits of a key`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.matesOfWhomOneHasNoName()
            _ = try await ann.ask(ben)
            try await network.settle()
            #expect(titles(ben) == ["A mate without a name asks for a walk"])
        }
    }

    @Test func `the button accepts the walk`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben, id) = try await asked(network)
            let accept = try #require(ben.drainNotices().first?.actions.first)
            guard case .object(let values) = accept.arguments.json else { return }
            _ = try await ben.answer(to: accept.command, values)
            try await network.settle()
            #expect(try await ann.walkState(id) == .accepted)
            #expect(try await open(ben).isEmpty, "the item is handled, which withdraws the notice")
        }
    }

    @Test(arguments: [
        (WalkCommands.accept, "Ben accepted your walk"),
        (WalkCommands.decline, "Ben declined your walk"),
    ])
    func `the sender is told of the answer once, also after a restart`(
        answer: Command<WalkReference, WalkRequest>, title: String
    ) async throws {
        try await TestNetwork.with { network in
            let (ann, ben, id) = try await asked(network)
            try await ben.call(answer, .init(id: RecordPrefix(id)))
            try await network.settle()
            #expect(titles(ann) == [title])
            #expect(try await open(ann) == [title])
            await ann.start()
            try await network.settle()
            #expect(titles(ann).isEmpty)
            #expect(try await open(ann) == [title])
        }
    }

    @Test func `a request that runs out is told to its sender, and loses its buttons`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben, _) = try await asked(network)
            _ = ben.drainNotices()
            try await network.pass(seconds: 60)
            #expect(titles(ann) == ["Ben did not answer your walk request"])
            #expect(try await open(ann) == ["Ben did not answer your walk request"])
            let notice = try #require(ben.drainNotices().first)
            #expect(notice.title == "Ann asked for a walk; the request has expired")
            #expect(notice.actions.isEmpty)
        }
    }

    @Test func `an answer in time that arrives late takes the place of the expiry`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben, id) = try await asked(network)
            try await network.setLink(ann, ben, isUp: false)
            try await ben.call(WalkCommands.accept, .init(id: RecordPrefix(id)))
            try await network.pass(seconds: 60)
            #expect(try await open(ann) == ["Ben did not answer your walk request"])
            try await network.setLink(ann, ben, isUp: true)
            #expect(titles(ann).last == "Ben accepted your walk")
            #expect(try await open(ann) == ["Ben accepted your walk"])
        }
    }

    @Test func `a request that never arrived in time is told to its sender`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await network.setLink(ann, ben, isUp: false)
            _ = try await ann.ask(ben)
            try await network.pass(seconds: 60)
            #expect(try await open(ann) == ["Your walk request did not reach Ben in time"])
        }
    }

    @Test func `the receiver is told that the sender cancelled`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben, id) = try await asked(network)
            _ = ben.drainNotices()
            try await ann.call(WalkCommands.cancel, .init(id: RecordPrefix(id)))
            try await network.settle()
            #expect(titles(ben) == ["Ann cancelled the walk"])
            #expect(try await open(ben) == ["Ann cancelled the walk"])
            #expect(titles(ann).isEmpty, "the sender knows")
        }
    }

    @Test func `a request that arrives cancelled is told to nobody`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await network.setLink(ann, ben, isUp: false)
            let id = try await ann.ask(ben)
            try await ann.call(WalkCommands.cancel, .init(id: RecordPrefix(id)))
            _ = ben.drainNotices()
            try await network.setLink(ann, ben, isUp: true)
            #expect(!titles(ben).contains("Ann cancelled the walk"))
        }
    }

    @Test func `an erased request leaves no open item`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben, id) = try await asked(network)
            try await ann.call(WalkCommands.erase, .init(id: RecordPrefix(id)))
            try await network.settle()
            let references = try await ben.features.inboxReferences(ofKind: "walk", among: nil)
            #expect(references == [id.string: true])
        }
    }

    @Test func `an end of more than a day ago is no news`() async throws {
        for (seconds, isTold) in [(60 + 86_399, true), (60 + 86_400, false)] {
            try await TestNetwork.with { network in
                let (ann, _, _) = try await asked(network)
                ann.stop()
                try await network.skip(seconds: seconds)
                await ann.start()
                try await network.settle()
                #expect(try await open(ann).isEmpty != isTold, "\(seconds)")
            }
        }
    }
}
