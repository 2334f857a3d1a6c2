import Contract
import Foundation
import Glibc
import Location
import TestSupport
import Testing

@testable import Desktop

/// The file of a track that is dropped on the window.
struct DroppedTrackTests {
    private let folder: String

    init() throws {
        folder = try TestDirectory.make("tracks")
    }

    private func write(_ bytes: [UInt8]) throws -> String {
        let path = folder + "/t.gpx"
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
        await #expect(throws: GPXFault.tooLong(bytes: limit + 1, limit: limit)) {
            _ = try await DroppedTrack.read(path)
        }
    }
}
