import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

@Suite struct LocationSharingTests {
    @Test func `a location set by hand is stored and shown to mates with its age`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await ann.setLocation(37.5, 127, accuracyMetres: 8)
            try await network.settle()
            try await network.pass(seconds: 7)
            let location = try await ben.mate(ann)?.location
            #expect(location?.latitude == 37.5 && location?.accuracyMetres == 8)
            #expect(location?.ageSeconds == 7)
            await ann.start()
            #expect(try await ann.call(LocationCommands.show).latitude == 37.5)
        }
    }

    @Test func `clearing the location removes it from mates at once`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await ann.setLocation(1, 2)
            try await network.settle()
            #expect(try await ben.mate(ann)?.location != nil)
            try await ann.call(LocationCommands.clear)
            try await network.settle()
            #expect(try await ben.mate(ann)?.location == nil)
            #expect(try await ann.call(LocationCommands.show).latitude == nil)
        }
    }

    @Test func `a mate who is linked later is shown the location`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await network.setLink(ann, ben, isUp: false)
            try await ann.setLocation(1, 2)
            try await network.settle()
            #expect(try await ben.mate(ann)?.location == nil)
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await ben.mate(ann)?.location?.longitude == 2)
        }
    }

    @Test func `a stranger is shown no location and a stranger's location is ignored`() async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let ben = try await network.person(seed: 2, "Ben")
            try await network.setLink(ann, ben, isUp: true)
            try await ann.setLocation(1, 2)
            try await network.settle()
            try await ann.propose(to: ben)
            let message = LocationMessage.fix(Fix(point: try Point(latitude: 3, longitude: 4)))
            try await ann.features.received(
                TopicMessage(
                    topic: "location", from: ben.me,
                    space: .between(ann.me.person, ben.me.person), body: message.encoded))
            #expect(try await ann.mate(ben)?.location == nil)
        }
    }

    @Test(arguments: [(90.0, 180.0, true), (90.1, 0, false), (0, -180.5, false)])
    func `a location is on the Earth`(_ at: (Double, Double, Bool)) async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let set = { @Sendable () async throws in
                try await ann.answer(
                    to: LocationCommands.set.declaration,
                    ["latitude": .number(at.0), "longitude": .number(at.1)])
            }
            if at.2 {
                _ = try await set()
            } else {
                await #expect(throws: CommandFault.self) { try await set() }
            }
        }
    }

    @Test func `a location message decodes to itself and all other bytes are refused`() throws {
        let fix = Fix(
            point: try Point(latitude: -1.5, longitude: 2.25), accuracyMetres: 3,
            at: Timestamp(milliseconds: 99))
        let messages: [LocationMessage] = [
            .gone, .goneSince(Timestamp(milliseconds: 99)), .fix(fix),
            .fix(Fix(point: fix.point, at: .min)),
        ]
        for message in messages {
            #expect(LocationMessage(decoding: message.encoded) == message)
            for count in 0..<message.encoded.count {
                #expect(LocationMessage(decoding: Array(message.encoded.prefix(count))) == nil)
            }
            #expect(LocationMessage(decoding: message.encoded + [0]) == nil)
        }
        let nowhere: [UInt8] = [1, 1] + [UInt8](repeating: 0xff, count: 16) + [0, 0]
        #expect(LocationMessage(decoding: nowhere) == nil)
        for accuracy in [-1, .infinity, .nan] {
            var bytes = Array(LocationMessage.fix(fix).encoded.dropLast(8))
            bytes.append(bigEndian: (accuracy as Double).bitPattern)
            #expect(LocationMessage(decoding: bytes) == nil)
        }
        #expect(LocationMessage(decoding: [3, 0]) == nil)
    }

    @Test func `random bytes that are a location message are its only encoding`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let bytes = [1, 1] + generator.bytes(generator.number(0...30))
            if let message = LocationMessage(decoding: bytes) {
                #expect(message.encoded == bytes)
            }
        }
    }
}
