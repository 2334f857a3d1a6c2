import PluginKit
import Records
import TestSupport
import Testing

@testable import Neighbours

@Suite struct PlaceTests {
    @Test func `a place set by hand is kept and shown to mates with its age`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await ann.run(
                "location", "set", ["latitude": 37.5, "longitude": 127, "accuracyMetres": 8])
            try await network.settle()
            try await network.pass(seconds: 7)
            let place = try await ben.mate(ann)?["place"]
            #expect(place?["latitude"] == 37.5 && place?["accuracyMetres"] == 8.0)
            #expect(place?["ageSeconds"] == 7)
            await ann.start()
            #expect(try await ann.run("location", "show")["latitude"] == 37.5)
        }
    }

    @Test func `clearing a place takes it from mates at once`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await ann.run("location", "set", ["latitude": 1, "longitude": 2])
            try await network.settle()
            #expect(try await ben.mate(ann)?["place"] != nil)
            try await ann.run("location", "clear")
            try await network.settle()
            #expect(try await ben.mate(ann)?["place"] == nil)
            #expect(try await ann.run("location", "show")["latitude"] == nil)
        }
    }

    @Test func `a mate who comes into reach is shown the place`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await network.setLink(ann, ben, isUp: false)
            try await ann.run("location", "set", ["latitude": 1, "longitude": 2])
            try await network.settle()
            #expect(try await ben.mate(ann)?["place"] == nil)
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await ben.mate(ann)?["place"]?["longitude"] == 2.0)
        }
    }

    @Test func `a stranger is shown no place and a stranger's is not taken`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let ben = try await network.person(seed: 2, "Ben")
            try await network.setLink(ann, ben, isUp: true)
            try await ann.run("location", "set", ["latitude": 1, "longitude": 2])
            try await network.settle()
            try await ann.propose(to: ben)
            let message = PlaceMessage.fix(Fix(point: try Point(latitude: 3, longitude: 4)))
            try await ann.neighbours.received(
                TopicMessage(
                    topic: "location", from: ben.me,
                    space: .between(ann.me.person, ben.me.person), body: message.encoded))
            #expect(try await ann.mate(ben)?["place"] == nil)
        }
    }

    @Test(arguments: [(90.0, 180.0, true), (90.1, 0, false), (0, -180.5, false)])
    func `a place is on the Earth`(_ at: (Double, Double, Bool)) async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let set = { @Sendable () async throws in
                try await ann.run(
                    "location", "set", ["latitude": .number(at.0), "longitude": .number(at.1)])
            }
            if at.2 {
                _ = try await set()
            } else {
                await #expect(throws: CommandFault.self) { try await set() }
            }
        }
    }

    @Test func `a place message reads back and everything else is none`() throws {
        let fix = Fix(
            point: try Point(latitude: -1.5, longitude: 2.25), accuracyMetres: 3, atMs: 99)
        for message in [PlaceMessage.gone, .fix(fix), .fix(Fix(point: fix.point, atMs: 0))] {
            #expect(PlaceMessage(decoding: message.encoded) == message)
            for count in 0..<message.encoded.count {
                #expect(PlaceMessage(decoding: Array(message.encoded.prefix(count))) == nil)
            }
            #expect(PlaceMessage(decoding: message.encoded + [0]) == nil)
        }
        let nowhere: [UInt8] = [1, 1] + [UInt8](repeating: 0xff, count: 16) + [0, 0]
        #expect(PlaceMessage(decoding: nowhere) == nil)
        #expect(PlaceMessage(decoding: [2, 0]) == nil)
    }

    @Test func `random bytes are no place and never trap`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let bytes = [1, 1] + generator.bytes(generator.number(0...30))
            if let message = PlaceMessage(decoding: bytes) {
                #expect(PlaceMessage(decoding: message.encoded) == message)
            }
        }
    }
}
