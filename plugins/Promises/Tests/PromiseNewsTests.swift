import FeaturesAPI
import PluginKit
import PromisesAPI
import TestSupport
import Testing

@testable import Promises

/// The bodies of events: the promise that changed, and its parts.
@Suite struct PromiseNewsTests {
    private func news(of host: TestHost) throws -> [PromiseChange] {
        try host.drainEvents(PromiseEvents.changed)
    }

    @Test func `people on the way change the locations of one promise and nothing else`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1800)
            _ = try await friends.promise(inSeconds: 86_400)
            try friends.ben.locate(metresNorth: 900)
            try await network.pass(seconds: 3)
            _ = friends.ann.drainEvents()
            try friends.ben.locate(metresNorth: 600)
            try await network.pass(seconds: 6)
            let news = try news(of: friends.ann)
            #expect(Set(news) == [PromiseChange(promise: id, parts: [.locations])])
        }
    }

    @Test func `an edit changes the plan, and an answer the attendance and whom the ledger lists`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(accepting: false)
            _ = (friends.ann.drainEvents(), friends.ben.drainEvents())
            try await friends.ann.call(
                PromiseCommands.edit, .init(promise: NameOrKey(id), title: Text("Lunch")))
            try await network.settle()
            for host in friends.all {
                #expect(try news(of: host) == [PromiseChange(promise: id, parts: [.plan])])
            }
            try await friends.ben.call(PromiseCommands.accept, .init(id))
            try await network.settle()
            #expect(
                Set(try news(of: friends.ann).flatMap { $0.parts ?? [] })
                    == [.attendance, .ledger])
            let mine = Set(try news(of: friends.ben).flatMap { $0.parts ?? [] })
            #expect(mine == [.plan, .attendance, .ledger])
        }
    }

    @Test func `the end of a promise changes the ledger`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1801)
            try await network.skip(seconds: 12_600)
            _ = friends.ann.drainEvents()
            try await network.pass(seconds: 2)
            let parts = Set(try news(of: friends.ann).flatMap { $0.parts ?? [] })
            #expect(parts.contains(.ledger) && parts.contains(.plan))
            #expect(try await friends.ann.show(id).summary.phase == .past)
        }
    }

    @Test func `a group of another plugin changes no promise`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            _ = try await friends.promise()
            _ = friends.ann.drainEvents()
            let group = try await friends.ann.call(
                GroupCommands.create, .init(name: Text("Walkers")))
            try await friends.ann.call(
                GroupCommands.invite,
                .init(group: NameOrKey(group.id), person: friends.ben.prefix))
            try await network.settle()
            #expect(try news(of: friends.ann).isEmpty)
        }
    }
}
