import FeaturesAPI
import PluginKit
import PromisesAPI
import TestSupport
import Testing

@testable import Promises

/// The notices of promises on the desktop, and the news of the result.
@Suite struct PromiseNoticeTests {
    @Test func `an invitation has buttons that answer it`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(accepting: false)
            let notice = try #require(friends.ben.drainNotices().last)
            #expect(notice.subject == InboxSubject("promise", id.string))
            #expect(notice.title == "Ann invites you to Dinner")
            #expect(notice.withoutText == "Ann invites you to a promise")
            #expect(notice.actions.map(\.label) == ["Accept", "Decline"])
            let accept = try #require(notice.actions.first)
            guard case .object(let values) = accept.arguments.json else { return }
            _ = try await friends.ben.answer(to: accept.command, values)
            try await network.settle()
            let detail = try await friends.ben.show(id)
            #expect(detail.summary.state == .member)
        }
    }

    @Test func `the reminder and each arrival are shown`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            _ = try await friends.promise(inSeconds: 1810)
            _ = friends.ann.drainNotices()
            try await network.pass(seconds: 10)
            #expect(friends.ann.drainNotices().map(\.title) == ["Dinner in 30 min"])
            try friends.ben.locate(metresNorth: 5)
            try await network.settle()
            let arrival = try #require(friends.ann.drainNotices().last)
            #expect(arrival.title == "Ben arrived, 1st" && arrival.withoutText == "Ben arrived")
            #expect(arrival.person == friends.ben.me.person)
        }
    }

    @Test func `three hours later each is told the result once, also after a restart`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            _ = try await friends.promise(inSeconds: 1800)
            try friends.ben.locate(metresNorth: 5)
            try await network.settle()
            try await network.skip(seconds: 1800 + 10_799)
            #expect(try await results(friends.ben).isEmpty)
            try await network.skip(seconds: 1)
            #expect(try await results(friends.ben) == ["Dinner: 1st of 2, 30 min early"])
            #expect(try await results(friends.ann) == ["Dinner: you did not come"])
            let notice = friends.ben.drainNotices().first { $0.title.english.contains("1st of 2") }
            #expect(notice?.body == "You kept 100% of your promises: Saint.")
            #expect(notice?.withoutText == "A promise is over")
            await friends.ben.start()
            try await network.settle()
            #expect(friends.ben.drainNotices().isEmpty)
            #expect(try await results(friends.ben).count == 1)
        }
    }

    @Test func `a person who declined and a promise that was called off have no result`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(accepting: false)
            try await friends.ben.call(PromiseCommands.leave, .init(id))
            try await network.settle()
            let other = try await friends.ann.promise(with: [friends.cem], title: "Lunch")
            try await network.settle()
            try await friends.cem.call(PromiseCommands.accept, .init(other))
            try await network.settle()
            try await friends.ann.call(PromiseCommands.delete, .init(other))
            try await network.settle()
            try await network.skip(seconds: 3600 + 10_800)
            #expect(try await results(friends.ben).isEmpty)
            #expect(try await results(friends.cem).isEmpty)
        }
    }

    /// Returns the titles of the results in a host's inbox.
    private func results(_ host: TestHost) async throws -> [String] {
        try await host.call(InboxCommands.list).items
            .filter { $0.ref?.string.hasSuffix("-result") == true }.map { $0.title.string }
    }
}
