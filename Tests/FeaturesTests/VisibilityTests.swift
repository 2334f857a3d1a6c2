import FeaturesAPI
import PluginHost
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

@Suite struct VisibilityTests {
    /// A plugin whose switch `nearby list` shows.
    private struct Meetings: Plugin {
        static let manifest = Manifest(
            id: "meetings", version: 1,
            announces: [
                .init("f", bytesMax: 2, shown: .whileSwitchedOn, opensMeeting: true),
                .init("o", bytesMax: 2, shown: .whileSwitchedOn),
            ])
        init(context: PluginContext) {}
    }

    private func fields(_ values: KeyValuePairs<String, String>) -> AnnouncedFields {
        var fields = AnnouncedFields()
        for (key, value) in values { fields.insert(key, Array(value.utf8)) }
        return fields
    }

    @Test func `everyone sees my names for 10 minutes and then only mates do`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            #expect(try await ann.call(NearbyCommands.visibility) == Visibility(level: .mates))
            let shown = try await ann.call(NearbyCommands.showToEveryone)
            #expect(shown == Visibility(level: .everyone, secondsLeft: 600))
            #expect(ann.announced == fields(["n": "Ann", "g": "Bori"]))
            try await network.pass(seconds: 599)
            #expect(try await ann.call(NearbyCommands.visibility).secondsLeft == 1)
            try await network.pass(seconds: 1)
            #expect(try await ann.call(NearbyCommands.visibility) == Visibility(level: .mates))
            #expect(ann.announced.isEmpty)
        }
    }

    @Test func `a new name is announced while visible`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.call(NearbyCommands.showToEveryone)
            try await ann.call(ProfileCommands.edit, .init(nickname: Nickname("Anna")))
            try await network.settle()
            #expect(ann.announced == fields(["n": "Anna", "g": "Bori"]))
            try await ann.call(NearbyCommands.showToMates)
            #expect(ann.announced.isEmpty)
        }
    }

    @Test func `a nickname without other fields is announced`() async throws {
        try await TestNetwork.with { network in
            let host = try await network.host(seed: 1, [CoreFeatures.self])
            try await host.call(ProfileCommands.edit, .init(nickname: Nickname("Annabella")))
            try await host.call(NearbyCommands.showToEveryone)
            #expect(host.announced == fields(["n": "Annabell"]))
        }
    }

    @Test func `a person without a name cannot be visible to everyone`() async throws {
        try await TestNetwork.with { network in
            let host = try await network.host(seed: 1, [CoreFeatures.self])
            await #expect(throws: CommandFault.self) {
                try await host.call(NearbyCommands.showToEveryone)
            }
            #expect(host.announced.isEmpty)
        }
    }

    @Test func `people nearby have only the fields that are known`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann", with: [Meetings.self])
            let ben = try await network.person(seed: 2, "Ben")
            try await network.setLink(ann, ben, isUp: true)
            try await network.meet(ann, ben)
            let stranger = DeviceID(raw: Bytes32([UInt8](repeating: 9, count: 32)) ?? .zero)
            let other = DeviceID(raw: Bytes32([UInt8](repeating: 8, count: 32)) ?? .zero)
            ann.setNearby([
                NearbyDevice(
                    device: stranger, person: nil,
                    fields: fields(["n": "Zoe\u{202e}", "f": "d"]), distanceMetres: 3.5,
                    since: Timestamp(milliseconds: 1)),
                NearbyDevice(
                    device: other, person: nil, fields: fields(["n": "Moe", "o": "d"]),
                    since: Timestamp(milliseconds: 2)),
            ])
            let people = try await ann.call(NearbyCommands.list).people
            let mate = try #require(people.first { $0.person == Key(ben.me.person) })
            #expect(mate.name == "Ben" && mate.mate)
            #expect(mate.distanceMetres == nil)
            let zoe = try #require(people.first { $0.device == Key(stranger) })
            #expect(zoe.name == "Zoe" && !zoe.mate && zoe.isOpenToMeet)
            let moe = try #require(people.first { $0.device == Key(other) })
            #expect(moe.name == "Moe" && !moe.isOpenToMeet)
            #expect(zoe.distanceMetres == 3.5 && zoe.bearingDegrees == nil)
        }
    }

    @Test func `a device without a link is listed by the name it announces, or counted`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let trouble = ConnectionTrouble(.unreachable, cause: "No answer.", fix: "Wait.")
            ann.setNearby([
                NearbyDevice(
                    device: nil, person: nil, tag: try AnnouncedTag("0123456789abcdef"),
                    fields: fields(["n": "Zoe\u{202e}"]), since: Timestamp(milliseconds: 1),
                    trouble: trouble),
                NearbyDevice(
                    device: nil, person: nil, fields: fields([:]),
                    since: Timestamp(milliseconds: 2)),
            ])
            let answer = try await ann.call(NearbyCommands.list)
            #expect(answer.people == [] && answer.emptyReason == nil)
            #expect(answer.announced.map(\.name) == ["Zoe"] && answer.unnamedCount == 1)
            #expect(answer.announced.map(\.trouble) == [trouble])
            let names = try await ann.features.namesNearby()
            #expect(names == ["0123456789abcdef": "Zoe"])
        }
    }

    @Test func `a person nearby who is no mate is blocked by six digits of their key`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, zoe) = (
                try await network.person(seed: 1, "Ann"), try await network.person(seed: 2, "Zoe")
            )
            let device = DeviceID(raw: Bytes32([UInt8](repeating: 9, count: 32)) ?? .zero)
            ann.setNearby([
                NearbyDevice(
                    device: device, person: zoe.me.person, fields: fields([:]),
                    since: Timestamp(milliseconds: 1))
            ])
            let digits = KeySuffix(zoe.me.person).string
            try await ann.call(
                MateCommands.block, .init(person: NameOrKey(digits), reason: .other))
            #expect(try await ann.relation(to: zoe) == .blocked)
            try await ann.call(MateCommands.unblock, .init(person: NameOrKey(digits)))
            #expect(try await ann.relation(to: zoe) == .stranger)
        }
    }

    @Test func `an empty list of people nearby has the cause and its remedy`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let answer = try await ann.call(NearbyCommands.list)
            #expect(answer.people == [])
            #expect(answer.emptyReason?.fix == "Link two hosts.")
            #expect(answer.emptyReason?.command == "link two")
        }
    }
}
