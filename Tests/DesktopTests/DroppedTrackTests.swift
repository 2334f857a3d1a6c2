import Contract
import Foundation
import Glibc
import Location
import OpenFormats
import PanelKit
import TestSupport
import Testing

@testable import Desktop

/// The file of a track that is dropped on the window.
struct DroppedTrackTests {
    private let folder: String

    init() throws {
        folder = try TestDirectory.make("tracks")
    }

    private func write(_ bytes: [UInt8], ending: String = "gpx") throws -> String {
        let path = folder + "/t.\(ending)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func fault(_ path: String) async -> String? {
        do {
            _ = try await DroppedTrack.read(path)
            return nil
        } catch {
            return (error as? CommandFault)?.sentence ?? "\(error)"
        }
    }

    @Test func `the points of a file are read`() async throws {
        let path = try write(
            Array(
                """
                <gpx><trk><trkseg><trkpt lat="37.5" lon="127"/><trkpt lat="37.6" lon="127"/>\
                </trkseg></trk></gpx>
                """.utf8))
        #expect(try await DroppedTrack.read(path).locations.count == 2)
    }

    @Test func `the gap between two parts is drawn, and is no part of the length`() async throws {
        let part = { (latitude: Double) in
            """
            <trkseg><trkpt lat="\(latitude)" lon="127"/><trkpt lat="\(latitude)" lon="127"/></trkseg>
            """
        }
        let path = try write(Array("<gpx><trk>\(part(37.5))\(part(38))</trk></gpx>".utf8))
        let track = try await DroppedTrack.read(path)
        #expect(track.locations.count == 4)
        #expect(track.lengthMetres == 0)
    }

    @Test(arguments: ["geojson", "GeoJSON"])
    func `the points and times of a GeoJSON file are read`(ending: String) async throws {
        let text = """
            {"type":"Feature","geometry":{"type":"LineString","coordinates":\
            [[127,37.5],[127,37.6]]},"properties":{"coordTimes":\
            ["2026-05-01T09:00:00Z","2026-05-01T10:00:00Z"]}}
            """
        let track = try await DroppedTrack.read(try write(Array(text.utf8), ending: ending))
        #expect(track.locations.map(\.latitude) == [37.5, 37.6])
        #expect(track.time == .seconds(3600) && !track.isPlayable)
    }

    @Test(arguments: ["", "{", "[]", "{\"type\":\"Point\",\"coordinates\":[1,2]}", "<gpx/>"])
    func `a GeoJSON file without a line is refused`(text: String) async throws {
        let path = try write(Array(text.utf8), ending: "geojson")
        await #expect(throws: FormatFault.self) { _ = try await DroppedTrack.read(path) }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a pipe, a device and a folder are refused at once`() async throws {
        let pipe = folder + "/pipe.gpx"
        let made = unsafe mkfifo(pipe, 0o600)
        #expect(made == 0)
        for path in [pipe, "/dev/zero", folder] {
            #expect(await fault(path) == "It is a folder, a pipe or a device. Drop a file.")
        }
    }

    @Test func `a file that is not there cannot be opened`() async {
        #expect(
            await fault(folder + "/none.gpx")
                == "“none.gpx” cannot be read. Check that it is a file, and its permissions.")
    }

    @Test func `a file one byte over the limit is refused`() async throws {
        let blanks = [UInt8](repeating: UInt8(ascii: " "), count: GPXTrack.bytesMax + 1)
        let path = try write(blanks)
        let limit = GPXTrack.bytesMax
        await #expect(throws: GPXFault.tooLong(limit: limit)) {
            _ = try await DroppedTrack.read(path)
        }
    }
}
