import PluginKit
import TestSupport
import Testing

@testable import Chat

/// The order of messages is the same on every replica, even if members were offline or a clock is
/// wrong.
@Suite struct OrderTests {
    @Test func `messages written apart arrive in order, once`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            try await network.setLink(ann, ben, isUp: false)
            for number in 0..<5 {
                try await ann.say("a\(number)", to: ben.key)
                try await network.pass(seconds: 1)
                try await ben.say("b\(number)", to: ann.key)
                try await network.pass(seconds: 1)
            }
            #expect(try await ben.texts(in: ann.key) == (0..<5).map { "b\($0)" })
            try await network.setLink(ann, ben, isUp: true)
            let both = (0..<5).flatMap { ["a\($0)", "b\($0)"] }
            #expect(try await ann.texts(in: ben.key) == both)
            #expect(try await ben.shown(in: ann.key) == ann.shown(in: ben.key))
            try await network.setLink(ann, ben, isUp: false)
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await ben.texts(in: ann.key) == both)
        }
    }

    @Test(arguments: 1...8)
    func `three who wrote apart in one millisecond hold the same rows after rejoining`(
        seed: UInt64
    ) async throws {
        try await TestNetwork.with(seed: seed) { network in
            let company = try await network.company()
            let all = company.all
            for (one, other) in [(0, 1), (0, 2), (1, 2)] {
                try await network.setLink(all[one], all[other], isUp: false)
            }
            // The clocks do not move, so all messages have the same millisecond.
            for number in 0..<7 {
                for host in all {
                    try await host.say("\(number) of \(host.key)", to: company.group)
                }
            }
            var generator = SeededGenerator(seed: seed)
            for (one, other) in [(0, 1), (0, 2), (1, 2)].shuffled(using: &generator) {
                try await network.setLink(all[one], all[other], isUp: true)
            }
            let rows = try await company.ann.shown(in: company.group)
            #expect(rows.count == 21)
            #expect(Set(rows.map(\.id)).count == 21)
            for host in all { #expect(try await host.shown(in: company.group) == rows) }
            for host in all {
                let own = rows.map(\.text).filter { $0.hasSuffix(host.key.string) }
                #expect(own == (0..<7).map { "\($0) of \(host.key)" })
            }
        }
    }

    @Test func `an answer is sorted after its question even if its clock is an hour behind`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            ann.clock.advance(by: .seconds(3600))
            try await ann.say("question", to: ben.key)
            try await network.settle()
            try await ben.say("answer", to: ann.key)
            try await network.settle()
            for (one, other) in [(ann, ben), (ben, ann)] {
                #expect(try await one.texts(in: other.key) == ["question", "answer"])
            }
        }
    }

    @Test func `positions are sorted by time, then author, then id`() throws {
        let ids = (0..<2).compactMap { EntityID(bytes: [UInt8](repeating: $0, count: 16)) }
        let people = (0..<2).compactMap { PersonID(bytes: [UInt8](repeating: $0, count: 32)) }
        var places: [MessagePlace] = []
        for stamp in [Int64(1), 2] {
            for person in people {
                for id in ids {
                    places.append(MessagePlace(stamp: stamp, author: person, entity: id))
                }
            }
        }
        #expect(places.count == 8)
        #expect(places.shuffled().sorted() == places)
        for place in places {
            #expect(try MessagePlace(cursor: place.cursor, field: "before") == place)
        }
    }

    @Test(arguments: [
        "", "00", "zz", String(repeating: "0", count: 110),
        String(repeating: "0", count: 114), String(repeating: "g", count: 112),
    ])
    func `a text that is not a position is refused`(cursor: String) {
        #expect(
            throws: CommandFault.notFound(
                "'before' must be a cursor from a page of a room; see 'chat page'.")
        ) { try MessagePlace(cursor: cursor, field: "before") }
    }

    @Test func `any position of 112 digits is accepted`() throws {
        for digit in ["0", "f"] {
            _ = try MessagePlace(cursor: String(repeating: digit, count: 112), field: "before")
        }
    }
}
