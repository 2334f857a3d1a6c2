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
