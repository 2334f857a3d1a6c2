import Neighbours
import PluginKit
import Records
import TestSupport
import Testing

@testable import ProximityDrop

/// The plugin with the core feature set beside it, over real replicas.
@Suite struct ProximityDropTests {
    private func person(
        _ network: TestNetwork, seed: UInt64, _ nickname: String
    ) async throws -> TestHost {
        let host = try await network.host(seed: seed, [Neighbours.self, ProximityDrop.self])
        try await host.run(
            "me", "edit", ["nickname": .string(nickname), "dogName": "Bori", "age": 4])
        try await network.settle()
        return host
    }

    private func linked(_ network: TestNetwork) async throws -> (TestHost, TestHost) {
        let ann = try await person(network, seed: 1, "Ann")
        let ben = try await person(network, seed: 2, "Ben")
        try await network.setLink(ann, ben, isUp: true)
        return (ann, ben)
    }

    private func phase(_ host: TestHost) async throws -> String? {
        try await host.run("drop", "show")["phase"]?.string
    }

    private func phases(_ one: TestHost, _ other: TestHost) async throws -> [String?] {
        [try await phase(one), try await phase(other)]
    }

    /// How each lists the other as a mate.
    private func relations(_ one: TestHost, _ other: TestHost) async throws -> [String?] {
        [try await relation(one, other), try await relation(other, one)]
    }

    private func relation(_ one: TestHost, _ other: TestHost) async throws -> String? {
        try await one.run("mates", "list")["mates"]?.array?
            .first { $0["person"]?.string == other.me.person.description }?["state"]?.string
    }

    @Test func `two press, compare codes, accept, and are mates on both replicas`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            try await ann.run("drop", "start")
            try await ben.run("drop", "start")
            try await network.pass(seconds: 3)
            let (one, other) = (
                try await ann.run("drop", "show"), try await ben.run("drop", "show")
            )
            #expect(one["phase"] == "deciding" && other["phase"] == "deciding")
            #expect(one["checkCode"] != nil && one["checkCode"] == other["checkCode"])
            #expect(one["peer"]?["card"]?["nickname"] == "Ben")
            try await ann.run("drop", "accept")
            try await network.pass(seconds: 1)
            #expect(try await relation(ann, ben) == "waiting")
            #expect(try await relation(ben, ann) == nil)
            try await ben.run("drop", "accept")
            try await network.pass(seconds: 2)
            #expect(try await phases(ann, ben) == ["mates", "mates"])
            #expect(try await relations(ann, ben) == ["mate", "mate"])
        }
    }

    @Test func `bad weather changes nothing of that`() async throws {
        try await TestNetwork.with(seed: 4) { network in
            let (ann, ben) = try await linked(network)
            await network.setWeather(.init(lost: 30, repeated: 20, late: 30))
            try await ann.run("drop", "start", ["to": .string(ben.me.device.description)])
            try await ben.run("drop", "start", ["to": .string(ann.me.device.suffix)])
            try await network.pass(seconds: 25)
            try await ann.run("drop", "accept")
            try await ben.run("drop", "accept")
            try await network.pass(seconds: 15)
            #expect(try await phases(ann, ben) == ["mates", "mates"])
        }
    }

    @Test func `a kill after one acceptance leaves the other waiting, for a day`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            try await ann.run("drop", "start")
            try await ben.run("drop", "start")
            try await network.pass(seconds: 3)
            try await ann.run("drop", "accept")
            ben.stop()
            try await network.pass(seconds: 16)
            #expect(try await phase(ann) == "waiting")
            await ben.start()
            try await network.settle()
            #expect(try await phase(ben) == "idle")
            #expect(try await relations(ann, ben) == ["waiting", nil])
            ann.clock.setWall(milliseconds: ann.clock.wallMilliseconds + 24 * 60 * 60 * 1000)
            try await network.pass(seconds: 61)
            #expect(try await relation(ann, ben) == nil)
        }
    }

    @Test func `both killed after both acceptances are mates at the next contact`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            try await ann.run("drop", "start")
            try await ben.run("drop", "start")
            try await network.pass(seconds: 3)
            try await network.setLink(ann, ben, isUp: false)
            try await ann.run("drop", "accept")
            try await ben.run("drop", "accept")
            for host in [ann, ben] {
                host.stop()
                await host.start()
            }
            #expect(try await relation(ann, ben) == "waiting")
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await relations(ann, ben) == ["mate", "mate"])
        }
    }

    @Test func `a lost refusal reaches the other at the next contact`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            try await ann.run("drop", "start")
            try await ben.run("drop", "start")
            try await network.pass(seconds: 3)
            try await network.setLink(ann, ben, isUp: false)
            try await ann.run("drop", "accept")
            try await ben.run("drop", "decline")
            try await network.pass(seconds: 20)
            #expect(try await phases(ann, ben) == ["waiting", "declined"])
            try await network.setLink(ann, ben, isUp: true)
            try await network.pass(seconds: 1)
            #expect(try await phase(ann) == "declined")
            #expect(try await relations(ann, ben) == [nil, nil])
        }
    }

    @Test func `an invitation sits in the inbox while it stands`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            try await ann.run("drop", "start", ["to": .string(ben.me.device.description)])
            try await network.settle()
            let shown = try await ben.run("drop", "show")
            #expect(shown["incoming"] == true && shown["phase"] == "idle")
            #expect(shown["peer"]?["device"]?.string == ann.me.device.description)
            #expect(shown["peer"]?["card"] == nil)
            let item = try await ben.run("inbox", "list")["items"]?.array?.first
            #expect(item?["kind"] == "drop" && item?["actions"] == ["accept", "decline"])
            try await ben.run("drop", "accept")
            try await network.pass(seconds: 2)
            #expect(try await phases(ann, ben) == ["deciding", "deciding"])
            let items = try await ben.run("inbox", "list")["items"]?.array ?? []
            #expect(items.map { $0["handled"] } == [true])
        }
    }

    @Test func `the preview is exactly what is sent`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            try await ann.run("me", "edit", ["keptPrivate": ["age"]])
            let preview = try await ann.run("drop", "preview")
            #expect(preview["keptPrivate"] == ["age"])
            try await ann.run("drop", "start")
            try await ben.run("drop", "start")
            try await network.pass(seconds: 3)
            #expect(try await ben.run("drop", "show")["peer"]?["card"] == preview["fields"])
            #expect(preview["fields"] == ["nickname": "Ann", "dogName": "Bori"])
        }
    }

    @Test func `faults say what to do`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            for verb in ["accept", "decline", "cancel"] {
                await #expect { try await ann.run("drop", verb) } throws: { error in
                    if case .conflict = error as? CommandFault { true } else { false }
                }
            }
            await #expect { try await ann.run("drop", "start", ["to": "ben"]) } throws: { error in
                if case .usage(_, field: "to") = error as? CommandFault { true } else { false }
            }
            await #expect {
                try await ann.run(
                    "drop", "start", ["to": .string(String(repeating: "0", count: 64))])
            } throws: { error in
                if case .notFound = error as? CommandFault { true } else { false }
            }
            try await ann.run("drop", "start", ["to": .string(ben.me.device.description)])
            await #expect { try await ann.run("drop", "start") } throws: { error in
                if case .conflict = error as? CommandFault { true } else { false }
            }
            #expect(ann.announced.last == .dropOpen(true))
            try await ann.run("drop", "cancel")
            #expect(ann.announced.last == .dropOpen(false))
        }
    }

    @Test func `who has no name can receive only`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.host(seed: 1, [Neighbours.self, ProximityDrop.self])
            await #expect { try await ann.run("drop", "start") } throws: { error in
                if case .refused = error as? CommandFault { true } else { false }
            }
            #expect(try await ann.run("drop", "start", ["share": false])["phase"] == "finding")
        }
    }

    @Test func `mates and the blocked are not dropped with`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            try await ann.run(
                "mates", "block",
                ["person": .string(ben.me.person.description), "reason": "other"])
            try await ben.run("drop", "start", ["to": .string(ann.me.device.description)])
            try await network.pass(seconds: 2)
            #expect(try await ann.run("drop", "show")["incoming"] == nil)
            await #expect(throws: CommandFault.refused("You have blocked this person.")) {
                try await ann.run("drop", "start", ["to": .string(ben.me.device.description)])
            }
        }
    }

    @Test func `the ranged mode shows as not available`() async throws {
        try await TestNetwork.with { network in
            let ann = try await person(network, seed: 1, "Ann")
            #expect(try await ann.run("drop", "show")["ranged"]?["available"] == false)
        }
    }

    @Test func `garbage on the topic is ignored from a stranger and fails a drop`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await linked(network)
            let drop = try #require(ann.plugin(ProximityDrop.self))
            let garbage = TopicMessage(topic: "drop", from: ben.me, space: nil, body: [9, 9, 9])
            try await drop.received(garbage)
            #expect(try await phase(ann) == "idle")
            try await ann.run("drop", "start")
            try await ben.run("drop", "start")
            try await network.pass(seconds: 3)
            try await drop.received(garbage)
            try await network.settle()
            #expect(try await phases(ann, ben) == ["failed", "failed"])
        }
    }
}
