import PluginKit
import Records
import TestSupport
import Testing

@testable import Neighbours

/// Choosing who says where this device is.
@Suite struct LocationSourceTests {
    private func choose(
        _ host: TestHost, _ source: String, _ more: [String: JSONValue] = [:]
    ) async throws -> JSONValue {
        try await host.run(
            "location", "source", more.merging(["source": .string(source)]) { one, _ in one })
    }

    @Test(arguments: [
        ("localhost", "localhost", 2947), ("localhost:1", "localhost", 1),
        ("10.0.0.7:65535", "10.0.0.7", 65_535), ("[::1]", "::1", 2947), ("[::1]:22", "::1", 22),
    ])
    func `an address is a host with or without a port`(
        _ text: String, _ host: String, _ port: Int
    ) throws {
        let parts = try #require(Neighbours.split(text))
        #expect(parts.host == host && parts.port == port)
    }

    @Test(arguments: [
        "", ":", "host:", "host:0", "host:65536", "host:x", "::1", "a:1:2", "[::1", "[::1]x", "a b",
        "[localhost]:1", "host:-1", "host:+1", "[::1]:",
    ])
    func `what is no address is refused`(_ text: String) {
        #expect(Neighbours.split(text) == nil)
    }

    @Test func `each source takes what is its own`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            for (source, more, field) in [
                ("hand", ["file": JSONValue.string("/a")], "file"),
                ("gpsd", ["speed": 2], "speed"), ("gpx", ["address": "x"], "address"),
                ("gpx", [:], "file"), ("gpx", ["file": "/a", "speed": 0], "speed"),
                ("gpx", ["file": "/a", "speed": 3601], "speed"),
                ("gpx", ["file": "/a", "startMs": -1], "startMs"),
                ("gpsd", ["address": "a:b"], "address"),
            ] {
                await #expect {
                    _ = try await choose(ann, source, more)
                } throws: {
                    if case .usage(_, field)? = $0 as? CommandFault { true } else { false }
                }
            }
            await #expect(throws: CommandFault.self) {
                _ = try await choose(ann, "gpx", ["file": "track.gpx"])
            }
        }
    }

    @Test func `another source forgets what the one before said`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await ann.run("location", "set", ["latitude": 1, "longitude": 2])
            let asked = try await choose(ann, "gpsd", ["address": "[::1]:29"])
            #expect(asked["source"] == "gpsd" && asked["address"] == "[::1]:29")
            #expect(asked["state"] == "searching" && asked["latitude"] == nil)
            ann.locate(
                Fix(point: try Point(latitude: 3, longitude: 4), accuracyMetres: 9, atMs: 77))
            try await network.pass(seconds: 8)
            let shown = try await ann.run("location", "show")
            #expect(shown["latitude"] == 3.0 && shown["ageSeconds"] == 8 && shown["atMs"] == 77)
            // Mates go on seeing what was set by hand.
            #expect(try await ben.mate(ann)?["place"]?["latitude"] == 1.0)
            let set = try await ann.run("location", "set", ["latitude": 5, "longitude": 6])
            #expect(set["source"] == "hand" && set["latitude"] == 5.0)
        }
    }
}
