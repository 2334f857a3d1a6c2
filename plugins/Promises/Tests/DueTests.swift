import Features
import PluginKit
import PromisesAPI
import TestSupport
import Testing

@testable import Promises

/// The clock is read when something is due, and not otherwise.
@Suite struct DueTests {
    @Test func `without promises the clock is read at most once a minute`()
        async throws
    {
        try await TestNetwork.with { network in
            let host = try await network.host(seed: 1, [CoreFeatures.self, Promises.self])
            let other = try await network.host(seed: 2, [CoreFeatures.self])
            try await network.pass(seconds: 5)
            let before = host.clock.sleepCount - other.clock.sleepCount
            try await network.pass(seconds: 600)
            let count = host.clock.sleepCount - other.clock.sleepCount - before
            #expect((9...11).contains(count), "a clock put back is noticed within a minute")
        }
    }

    @Test func `a promise that is hours away is checked every ten seconds`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let plain = try await network.host(seed: 9, [CoreFeatures.self])
            _ = try await friends.promise(inSeconds: 86_400)
            try await network.pass(seconds: 15)
            let before = friends.ben.clock.sleepCount - plain.clock.sleepCount
            try await network.pass(seconds: 300)
            let count = friends.ben.clock.sleepCount - plain.clock.sleepCount - before
            #expect((29...31).contains(count))
        }
    }

    @Test func `each phase is reported in the second in which it begins`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1803)
            for (seconds, phase) in [
                (3, PromisePhase.tracking), (1800, .tracking), (10_800, .past),
            ] {
                try await network.skip(seconds: seconds - 2)
                _ = friends.ben.drainEvents()
                try await network.pass(seconds: 1)
                #expect(!friends.ben.drainEvents().contains("promise"))
                try await network.pass(seconds: 1)
                #expect(friends.ben.drainEvents().contains("promise"))
                #expect(try await friends.ben.show(id).summary.phase == phase)
            }
        }
    }

    @Test func `a location that becomes old is reported, to its own person too`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1800)
            try friends.ben.locate(metresNorth: 900)
            try await network.pass(seconds: 120)
            for host in friends.all { _ = host.drainEvents() }
            #expect(try await friends.ben.sharing(id) == .sharing)
            try await network.pass(seconds: 1)
            #expect(try await friends.ben.sharing(id) == .searching)
            let old = try await friends.ann.person(friends.ben, in: id)?.location
            #expect(old?.isStale == true)
            for host in friends.all { #expect(host.drainEvents().contains("promise")) }
            try friends.ben.locate(metresNorth: 800)
            try await network.pass(seconds: 2)
            for host in friends.all { #expect(host.drainEvents().contains("promise")) }
        }
    }

    @Test func `a location that came too soon to be sent is sent as soon as allowed`() async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            _ = try await friends.promise(inSeconds: 1800)
            try friends.ben.locate(metresNorth: 900)
            try await network.settle()
            let count = await network.sentCount("promise", to: friends.ann)
            try await network.pass(seconds: 1)
            try friends.ben.locate(metresNorth: 800)
            try await network.pass(seconds: 3)
            #expect(await network.sentCount("promise", to: friends.ann) == count)
            try await network.pass(seconds: 1)
            #expect(await network.sentCount("promise", to: friends.ann) == count + 1)
            try await network.pass(seconds: 29)
            #expect(await network.sentCount("promise", to: friends.ann) == count + 1)
            try await network.pass(seconds: 1)
            #expect(await network.sentCount("promise", to: friends.ann) == count + 2)
        }
    }

    @Test func `a peer that comes into reach gets a location that is due much later`() async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1800)
            try await friends.setLinks(of: friends.ann, isUp: false)
            try friends.ben.locate(metresNorth: 900)
            try await network.settle()
            try await network.pass(seconds: 6)
            try await friends.setLinks(of: friends.ann, isUp: true)
            // The location is sent by a task of its own, which the network does not wait for.
            try await network.pass(seconds: 1)
            #expect(try await friends.ann.person(friends.ben, in: id)?.remaining == "900 m")
        }
    }
}
