import ControlAPI
import FeaturesAPI
import Foundation
import NodeTestSupport
import PluginKit
import TestSupport
import Testing

@testable import Node

/// Location sources on a whole node.
@Suite(.serialized) struct LocationTests {
    private static func track(_ seconds: [Int]) -> String {
        let points = seconds.map { second in
            "<trkpt lat=\"37.5665\" lon=\"126.978\"><time>2026-05-01T09:00:"
                + (second < 10 ? "0" : "") + "\(second)Z</time></trkpt>"
        }
        return "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    }

    private func write(_ text: String, _ node: RunningNode) throws -> FilePath {
        let path = node.home.directory + "/track.gpx"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return try FilePath(path)
    }

    @Test func `a track is played to its end and keeps its own times`() async throws {
        let node = try await RunningNode.start()
        let file = try write(Self.track([0, 1, 59]), node)
        try await node.call(
            LocationCommands.source,
            .init(source: .gpx, file: file, speed: PlaybackSpeed(600)))
        let shown = try await node.wait(for: LocationCommands.show) { $0.state == .ended }
        #expect(
            shown.latitude == 37.5665 && shown.atMs == Timestamp(milliseconds: 1_777_626_059_000))
        #expect(shown.source == .gpx && shown.speed == 600)
        try await node.call(
            LocationCommands.source,
            .init(source: .gpx, file: file, startMs: Timestamp(milliseconds: 5000)))
        let moved = try await node.wait(for: LocationCommands.show) { $0.atMs != nil }
        // The second point of the track comes a second later, perhaps before the answer.
        #expect(moved.atMs.map { [5000, 6000].contains($0.milliseconds) } == true)
        try await node.remove()
    }

    @Test func `a file that is not a track is refused with its fault, and nothing changes`()
        async throws
    {
        let node = try await RunningNode.start()
        let bad = [
            ("<gpx><trk>", "not well-formed XML"), ("<html/>", "<html>"),
            ("<!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx>&a;</gpx>", "document type"),
            ("<gpx/>", "No point of the track has a time"),
        ]
        for (text, reason) in bad {
            let file = try write(text, node)
            await #expect {
                try await node.call(
                    LocationCommands.source, .init(source: .gpx, file: file))
            } throws: { fault in
                guard case .refused(let sentence)? = fault as? CommandFault else {
                    return false
                }
                return sentence.english.contains(reason)
            }
        }
        let pipe = node.home.directory + "/pipe"
        let isMade = unsafe mkfifo(pipe, 0o600) == 0
        #expect(isMade)
        for path in ["/nowhere/at.all", "/dev/zero", "/dev", pipe, node.home.directory] {
            await #expect {
                try await node.call(
                    LocationCommands.source, .init(source: .gpx, file: FilePath(path)))
            } throws: { ($0 as? CommandFault)?.code == "notFound" }
        }
        #expect(try await node.call(LocationCommands.show).source == .hand)
        try await node.remove()
    }

    @Test func `a link to a file is played like the file, which may then be deleted`() async throws
    {
        let node = try await RunningNode.start()
        _ = try write(Self.track([0, 1, 59]), node)
        let link = node.home.directory + "/link.gpx"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: node.home.directory + "/track.gpx")
        try await node.call(
            LocationCommands.source,
            .init(source: .gpx, file: FilePath(link), speed: PlaybackSpeed(60)))
        try FileManager.default.removeItem(atPath: node.home.directory + "/track.gpx")
        try await node.wait(for: LocationCommands.show) { $0.state == .ended }
        try await node.remove()
    }

    @Test func `a receiver that does not answer is reported as away, also after a restart`()
        async throws
    {
        var node = try await RunningNode.start()
        try await node.call(
            LocationCommands.source, .init(source: .gpsd, address: Text("127.0.0.1:1")))
        let shown = try await node.wait(for: LocationCommands.show) { $0.state == .away }
        #expect(shown.reason?.string.contains("127.0.0.1:1") == true)
        let home = node.home
        try await node.stop()
        node = try await RunningNode.start(home)
        let again = try await node.wait(for: LocationCommands.show) { $0.state == .away }
        #expect(again.source == .gpsd && again.address == "127.0.0.1:1")
        try await node.remove()
    }
}
