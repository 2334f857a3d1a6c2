import PluginKit
import Records
import TestSupport
import Testing

@testable import Neighbours

@Suite struct VisibilityTests {
    @Test func `everyone sees my names for 10 minutes and then only mates do`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            #expect(try await ann.run("visibility", "show") == ["level": "mates"])
            let shown = try await ann.run("visibility", "everyone")
            #expect(shown == ["level": "everyone", "secondsLeft": 600])
            #expect(ann.announced.last == .names(nickname: "Ann", dogName: "Bori"))
            try await network.pass(seconds: 599)
            #expect(try await ann.run("visibility", "show")["secondsLeft"] == 1)
            try await network.pass(seconds: 1)
            #expect(try await ann.run("visibility", "show") == ["level": "mates"])
            #expect(ann.announced.last == .noNames)
        }
    }

    @Test func `a new name is announced while visible`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.run("visibility", "everyone")
            try await ann.run("me", "edit", ["nickname": "Anna"])
            try await network.settle()
            #expect(ann.announced.last == .names(nickname: "Anna", dogName: "Bori"))
            try await ann.run("visibility", "mates")
            #expect(ann.announced.last == .noNames)
        }
    }

    @Test func `who has no name cannot be visible to everyone`() async throws {
        try await TestNetwork.with { network in
            let host = try await network.host(seed: 1, [Neighbours.self])
            await #expect(throws: CommandFault.self) {
                try await host.run("visibility", "everyone")
            }
            #expect(host.announced.isEmpty)
        }
    }

    @Test func `people nearby are named by what is known, and absent stays absent`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let stranger = DeviceID(raw: Bytes32([UInt8](repeating: 9, count: 32)) ?? .zero)
            ann.setNearby([
                NearbyPerson(
                    device: stranger, person: nil, nickname: "Zoe\u{202e}", dogName: nil,
                    dropOpen: true, distanceMetres: 3.5, sinceMilliseconds: 1)
            ])
            let people = try await ann.run("nearby", "list")["people"]?.array ?? []
            let mate = people.first { $0["person"]?.string == ben.me.person.description }
            #expect(mate?["name"] == "Ben" && mate?["mate"] == true)
            #expect(mate?["distanceMetres"] == nil)
            let zoe = people.first { $0["device"]?.string == stranger.description }
            #expect(zoe?["name"] == "Zoe" && zoe?["mate"] == false && zoe?["dropOpen"] == true)
            #expect(zoe?["distanceMetres"] == 3.5 && zoe?["bearingDegrees"] == nil)
        }
    }

    @Test func `nobody nearby comes with the cause and its fix`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let answer = try await ann.run("nearby", "list")
            #expect(answer["people"] == [])
            #expect(answer["emptyReason"]?["fix"]?.string?.isEmpty == false)
        }
    }
}
