import Foundation
import PluginKit
import TestSupport
import Testing
import WalkLogAPI

@testable import WalkLog

@Suite struct WalkFileTests {
    private let start = Timestamp(milliseconds: 1_900_000_000_000)

    /// Returns a fix some steps of 11 m north of a gate.
    private func fix(_ steps: Int, second: Int?) throws -> Fix {
        Fix(
            point: try Point(latitude: 37.5 + Double(steps) * 1e-4, longitude: 127),
            at: second.map { start + .seconds($0) })
    }

    @Test func `a walk that is exported and imported again is the same`() async throws {
        try await TestNetwork.with { network in
            let (ann, _) = try await network.walkers()
            let folder = try TestDirectory.make("walks")
            for (format, isGPX) in [("gpx", true), ("geojson", false)] {
                try await ann.call(WalkLogCommands.start, .init())
                for step in 0..<4 {
                    ann.locate(try fix(step, second: step * 10))
                    try await network.settle()
                    try await network.skip(seconds: 10)
                }
                let walk = try await ann.call(WalkLogCommands.finish)
                let file = try FilePath("\(folder)/walk.\(format)")
                try await ann.call(
                    WalkLogCommands.export,
                    .init(
                        id: RecordPrefix(walk.id), gpx: isGPX ? file : nil,
                        geojson: isGPX ? nil : file))
                let loaded = try await ann.call(WalkLogCommands.load, .init(file: file))
                let way = try await ann.call(
                    WalkLogCommands.track, .init(id: RecordPrefix(walk.id)))
                let loadedWay = try await ann.call(
                    WalkLogCommands.track, .init(id: RecordPrefix(loaded.id)))
                #expect(way == loadedWay)
                #expect(loaded.measures.distanceMetres == walk.measures.distanceMetres)
                #expect(loaded.measures.elapsedSeconds == 30 && loaded.startedMs == start)
            }
        }
    }

    @Test func `a picture of a walk is a new file, in PNG or SVG`() async throws {
        try await TestNetwork.with { network in
            let (ann, _) = try await network.walkers()
            let folder = try TestDirectory.make("pictures")
            let (png, svg) = (try FilePath("\(folder)/a.png"), try FilePath("\(folder)/a.svg"))
            try await ann.call(WalkLogCommands.start, .init())
            for step in 0..<3 {
                ann.locate(try fix(step, second: step * 10))
                try await network.settle()
                try await network.skip(seconds: 10)
            }
            let id = RecordPrefix(try await ann.call(WalkLogCommands.finish).id)
            let saved = try await ann.call(WalkLogCommands.export, .init(id: id, png: png))
            let bytes = try Data(contentsOf: URL(fileURLWithPath: png.string))
            #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(saved.bytes.value == bytes.count)
            try await ann.call(WalkLogCommands.export, .init(id: id, svg: svg))
            #expect(try String(contentsOfFile: svg.string, encoding: .utf8).contains("<svg "))
            // A file that is there stays as it is, and so does the rule of one file.
            for wrong in [
                ExportWalkLog(id: id, png: png),
                ExportWalkLog(
                    id: id, png: try FilePath("\(folder)/b.png"),
                    svg: try FilePath("\(folder)/b.svg")), ExportWalkLog(id: id),
            ] {
                await #expect(throws: CommandFault.self) {
                    try await ann.call(WalkLogCommands.export, wrong)
                }
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: png.string)) == bytes)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                    == ["a.png", "a.svg"])
        }
    }

    @Test func `a walk without a point has no picture`() async throws {
        try await TestNetwork.with { network in
            let (ann, _) = try await network.walkers()
            let file = try FilePath(try TestDirectory.newPath("none.png"))
            try await ann.call(WalkLogCommands.start, .init())
            let walk = try await ann.call(WalkLogCommands.finish)
            await #expect(throws: CommandFault.refused(RoutePictureFault.noPoints.sentence)) {
                try await ann.call(
                    WalkLogCommands.export, .init(id: RecordPrefix(walk.id), png: file))
            }
            #expect(!FileManager.default.fileExists(atPath: file.string))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a zigzag of 20 000 points has a picture of at most 128 KiB`() async throws {
        let points = try (0..<20_000).map { index in
            TrackPoint(
                try Point(
                    latitude: 37 + Double(index % 2) / 10, longitude: 127 + Double(index) * 1e-5),
                at: start + .seconds(index), startsSegment: index == 0)
        }
        let svg = try await WalkFileFormat.picture(.svg).bytes(of: points)
        #expect((1000...128 * 1024).contains(svg.count))
    }

    @Test func `the time between the parts of a file is a pause`() throws {
        let track = Track(segments: [
            [try fix(0, second: 0), try fix(1, second: 10)],
            [try fix(90, second: 500), try fix(91, second: 510)],
        ])
        let (recorder, end) = try #require(WalkRecorder.replaying(track, as: .zero))
        #expect(recorder.elapsed(uptime: end) == .seconds(20))
        #expect(recorder.points.map(\.startsSegment) == [true, false, true, false])
        #expect((22.2...22.3).contains(recorder.distanceMetres))
    }

    @Test func `a file without times, with times that go back or of years is harmless`() throws {
        let timeless = Track(segments: [[try fix(0, second: nil)]])
        #expect(WalkRecorder.replaying(timeless, as: .zero) == nil)
        let back = Track(segments: [[try fix(0, second: 100), try fix(1, second: 0)]])
        let (recorder, end) = try #require(WalkRecorder.replaying(back, as: .zero))
        #expect(recorder.points.count == 1 && recorder.elapsed(uptime: end) == .zero)
        let years = Track(segments: [[try fix(0, second: 0), try fix(1, second: 1_000_000_000)]])
        let (long, late) = try #require(WalkRecorder.replaying(years, as: .zero))
        #expect(long.points.count == 1 && long.elapsed(uptime: late) == .seconds(21_600))
    }

    @Test(arguments: [(seconds: 21_600, isRead: true), (21_601, false)])
    func `a track of six hours is imported whole, and one of a second more is refused`(
        seconds: Int, isRead: Bool
    ) async throws {
        try await TestNetwork.with { network in
            let (ann, _) = try await network.walkers()
            let path = try TestDirectory.newPath("long.gpx")
            let track = Track(segments: [[try fix(0, second: 0), try fix(9, second: seconds)]])
            try Data(track.gpx.utf8).write(to: URL(fileURLWithPath: path))
            let loaded = try? await ann.call(WalkLogCommands.load, .init(file: FilePath(path)))
            #expect((loaded != nil) == isRead)
        }
    }

    @Test func `a file that is no walk, and one that is there, are refused`() async throws {
        try await TestNetwork.with { network in
            let (ann, _) = try await network.walkers()
            let path = try TestDirectory.newPath("note")
            try Data("hello".utf8).write(to: URL(fileURLWithPath: path))
            await #expect(throws: CommandFault.self) {
                try await ann.call(WalkLogCommands.load, .init(file: FilePath(path)))
            }
            try await ann.call(WalkLogCommands.start, .init())
            let walk = try await ann.call(WalkLogCommands.finish)
            await #expect(throws: CommandFault.self) {
                try await ann.call(
                    WalkLogCommands.export, .init(id: RecordPrefix(walk.id), gpx: FilePath(path)))
            }
        }
    }
}
