import FeaturesAPI
import PluginKit
import PromisesAPI
import Records
import TestSupport
import Testing

@testable import Promises

/// The people to whom a location is shown, how often, and for how long.
@Suite struct ShownToTests {
    @Test func `a person who has not accepted is sent no location`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800, accepting: false)
            try await friends.ben.call(PromiseCommands.accept, .init(id))
            try await network.settle()
            try friends.ann.locate(metresNorth: 900)
            try await network.settle()
            #expect(try await friends.ben.person(friends.ann, in: id)?.location != nil)
            #expect(try await friends.cem.person(friends.ann, in: id)?.location == nil)
            #expect(await network.sentCount("promise", to: friends.cem) == 0)
        }
    }

    @Test func `a person who leaves on the way no longer sees the others`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try friends.ann.locate(metresNorth: 900)
            try await network.settle()
            #expect(try await friends.ben.person(friends.ann, in: id)?.location != nil)
            try await friends.ben.call(PromiseCommands.leave, .init(id))
            #expect(try await friends.ben.person(friends.ann, in: id)?.location == nil)
            let space = try await friends.ben.space(of: id)
            let fix = Fix(point: try Point(latitude: 1, longitude: 2))
            try await friends.ben.plugin(Promises.self)?.received(
                TopicMessage(
                    topic: "promise", from: friends.ann.me, space: space,
                    body: SharedLocationMessage.fix(fix, age: .zero).encoded))
            #expect(try await friends.ben.person(friends.ann, in: id)?.location == nil)
        }
    }

    @Test func `a location that is withdrawn is removed at once`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1800)
            try await friends.ben.call(
                LocationCommands.set,
                .init(latitude: Latitude(37.6), longitude: Longitude(126.9)))
            try await network.settle()
            #expect(try await friends.ann.person(friends.ben, in: id)?.location != nil)
            try await friends.ben.call(LocationCommands.clear)
            try await network.settle()
            #expect(try await friends.ann.person(friends.ben, in: id)?.location == nil)
            #expect(try await friends.ben.sharing(id) == .searching)
        }
    }

    @Test func `a changing location is sent at most every 5 s, and a still one every 30 s`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            _ = try await friends.promise(inSeconds: 1800)
            for second in 0..<120 {
                try friends.ben.locate(metresNorth: 2000 - Double(second) * 2)
                try await network.pass(seconds: 1)
            }
            #expect(await network.sentCount("promise", to: friends.ann) == 24)
            for _ in 0..<120 {
                try friends.ben.locate(metresNorth: 1500)
                try await network.pass(seconds: 1)
            }
            #expect((28...29).contains(await network.sentCount("promise", to: friends.ann)))
        }
    }

    @Test func `a thousand locations from one sender wake followers once, and one is kept`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1800)
            let space = try await friends.ann.space(of: id)
            try await network.pass(seconds: 2)
            _ = friends.ann.drainEvents()
            let plugin = try #require(friends.ann.plugin(Promises.self))
            for number in 0..<1000 {
                let point = try Point(latitude: Double(number) / 100, longitude: 2)
                try await plugin.received(
                    TopicMessage(
                        topic: "promise", from: friends.ben.me, space: space,
                        body: SharedLocationMessage.fix(Fix(point: point), age: .zero).encoded))
            }
            try await network.pass(seconds: 2)
            #expect(friends.ann.drainEvents().filter { $0 == "promise" }.count == 1)
            let location = try await friends.ann.person(friends.ben, in: id)?.location
            #expect(location?.latitude == 9.99)
        }
    }

    @Test func `a blocked person is not shown on the way, and cannot ask me`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1800)
            let asked = try await friends.ann.promise(with: friends.others, title: "Lunch")
            try friends.ann.locate(metresNorth: 900)
            try await network.settle()
            #expect(try await friends.ben.news().contains("Ann invites you to Lunch"))
            try await friends.ben.call(
                MateCommands.block, .init(person: friends.ann.prefix, reason: .unpleasant))
            try await network.pass(seconds: 1)
            let ann = try await friends.ben.person(friends.ann, in: id)
            #expect(ann?.location == nil && ann?.name == "Ann")
            #expect(try await !friends.ben.news().contains("Ann invites you to Lunch"))
            try await friends.ben.call(PromiseCommands.leave, .init(asked))
        }
    }

    @Test func `two promises at one time each share only with their own people`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let ids = [
                try await friends.ann.promise(with: [friends.ben], inSeconds: 1800),
                try await friends.ann.promise(with: [friends.cem], inSeconds: 1860),
            ]
            try await network.settle()
            for (host, id) in zip(friends.others, ids) {
                try await host.call(PromiseCommands.accept, .init(id))
            }
            try await network.pass(seconds: 61)
            try friends.ann.locate(metresNorth: 700)
            try await network.settle()
            for (host, id) in zip(friends.others, ids) {
                #expect(try await host.person(friends.ann, in: id)?.remaining == "700 m")
            }
            try await friends.ann.call(PromiseCommands.stop, .init(ids[0]))
            try await network.settle()
            #expect(try await friends.ben.person(friends.ann, in: ids[0])?.location == nil)
            #expect(try await friends.cem.person(friends.ann, in: ids[1])?.location != nil)
            try friends.ann.locate(metresNorth: 7)
            try await network.pass(seconds: 6)
            #expect(try await friends.ann.sharing(ids[0]) == .stopped)
            #expect(try await friends.ann.sharing(ids[1]) == .arrived)
        }
    }

    @Test func `no person is shown after a promise is called off on the way`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            for host in friends.all { try host.locate(metresNorth: 900) }
            try await network.settle()
            try await friends.ann.call(PromiseCommands.delete, .init(id))
            try await network.settle()
            for host in friends.all {
                for other in friends.all where other.me != host.me {
                    #expect(try await host.person(other, in: id)?.location == nil)
                }
            }
            let sentCount = await network.sentCount("promise", to: friends.ben)
            for metres in [800.0, 600] {
                for host in friends.all { try host.locate(metresNorth: metres) }
                try await network.pass(seconds: 31)
            }
            #expect(await network.sentCount("promise", to: friends.ben) == sentCount)
        }
    }

    @Test func `a promise that was over is tracked again after the clock is set back`() async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1800)
            let now = friends.ben.time()
            friends.ben.clock.setWall(now + .seconds(86_400))
            try await network.pass(seconds: 11)
            #expect(try await friends.ben.show(id).summary.phase == .past)
            friends.ben.clock.setWall(now)
            try await network.pass(seconds: 61)
            try friends.ben.locate(metresNorth: 700)
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == .sharing)
            #expect(try await friends.ann.person(friends.ben, in: id)?.remaining == "700 m")
        }
    }
}
