import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

/// Choosing the source of this device's location.
@Suite struct LocationSourceTests {
    /// Chooses a source with values that no request can hold.
    private func choose(
        _ host: TestHost, _ source: String, _ more: [String: JSONValue] = [:]
    ) async throws -> JSONValue {
        try await host.answer(
            to: LocationCommands.source.declaration,
            more.merging(["source": .string(source)]) { one, _ in one })
    }

    @Test(arguments: [
        ("localhost", "localhost", 2947), ("localhost:1", "localhost", 1),
        ("10.0.0.7:65535", "10.0.0.7", 65_535), ("[::1]", "::1", 2947), ("[::1]:22", "::1", 22),
    ])
    func `an address is a host with or without a port`(
        _ text: String, _ host: String, _ port: Int
    ) throws {
        let parts = try #require(LocationChoice.split(text))
        #expect(parts.host == host && parts.port == port)
    }

    @Test(arguments: [
        "", ":", "host:", "host:0", "host:65536", "host:x", "::1", "a:1:2", "[::1", "[::1]x", "a b",
        "[localhost]:1", "host:-1", "host:+1", "[::1]:",
    ])
    func `a text that is not an address is refused`(_ text: String) {
        #expect(LocationChoice.split(text) == nil)
    }

    @Test func `each source accepts only its own parameters`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let wrong: [(String, [String: JSONValue], String)] = [
                ("gpx", ["file": "/a", "speed": 0], "speed"),
                ("gpx", ["file": "/a", "speed": 3601], "speed"),
                ("gpx", ["file": "/a", "startMs": -1], "startMs"),
            ]
            for (source, more, field) in wrong {
                await #expect {
                    _ = try await choose(ann, source, more)
                } throws: {
                    if case .usage(_, field)? = $0 as? CommandFault { true } else { false }
                }
            }
            let refused: [(ChooseLocationSource, String)] = [
                (.init(source: .hand, file: try FilePath("/a")), "'file'"),
                (.init(source: .gpsd, speed: try PlaybackSpeed(2)), "'speed'"),
                (.init(source: .gpx, address: try Text("x")), "'address'"),
                (.init(source: .gpx), "--file"),
                (.init(source: .gpsd, address: try Text("a:b")), "An address"),
            ]
            for (request, word) in refused {
                await #expect {
                    try await ann.call(LocationCommands.source, request)
                } throws: { error in
                    guard case .refused(let sentence)? = error as? CommandFault else {
                        return false
                    }
                    return sentence.english.contains(word)
                }
            }
            await #expect(throws: CommandFault.self) {
                _ = try await choose(ann, "gpx", ["file": "track.gpx"])
            }
        }
    }

    @Test func `choosing another source forgets the location of the one before`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await ann.setLocation(1, 2)
            let asked = try await ann.call(
                LocationCommands.source, .init(source: .gpsd, address: Text("[::1]:29")))
            #expect(asked.source == .gpsd && asked.address == "[::1]:29")
            #expect(asked.state == .searching && asked.latitude == nil)
            ann.locate(
                Fix(
                    point: try Point(latitude: 3, longitude: 4), accuracyMetres: 9,
                    at: Timestamp(milliseconds: 77)))
            try await network.pass(seconds: 8)
            let shown = try await ann.call(LocationCommands.show)
            #expect(shown.latitude == 3 && shown.ageSeconds == 8)
            #expect(shown.atMs == Timestamp(milliseconds: 77))
            // Mates still see the location that was set by hand.
            #expect(try await ben.mate(ann)?.location?.latitude == 1)
            let set = try await ann.setLocation(5, 6)
            #expect(set.source == .hand && set.latitude == 5)
        }
    }
}
