import FeaturesAPI
import Foundation
import PluginKit
import TestSupport
import Testing

@testable import Features

/// Walks at a time as events of a calendar.
@Suite struct WalkAppointmentTests {
    private func export(_ id: RecordKey, of host: TestHost) async throws -> CalendarEvent? {
        let path = try FilePath(TestDirectory.newPath("walk.ics"))
        try await host.call(WalkCommands.export, .init(id: RecordPrefix(id), ics: path))
        let bytes = Array(try Data(contentsOf: URL(filePath: path.string)))
        return try CalendarFile(ics: bytes, zone: .gmt).events.first
    }

    @Test func `a walk is tentative, then confirmed or cancelled, under one id`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let at = Timestamp(
                milliseconds: (ann.clock.wallTime.milliseconds / 1000 + 7200) * 1000)
            let id = try await ann.ask(ben, message: "The gate, at six?", at: at)
            try await network.settle()
            let asked = try #require(try await export(id, of: ann))
            #expect(asked.title == "Walk with Ben" && asked.notes == "The gate, at six?")
            #expect(asked.start == at && asked.end == at + .seconds(3600))
            #expect(asked.status == .tentative && asked.sequence == 0)
            #expect(asked.point == (try Point(latitude: 37.5665, longitude: 126.978)))
            try await ben.call(WalkCommands.accept, .init(id: RecordPrefix(id)))
            try await network.settle()
            for (host, title) in [(ann, "Walk with Ben"), (ben, "Walk with Ann")] {
                let accepted = try #require(try await export(id, of: host))
                #expect(accepted.uid == asked.uid && accepted.title == title)
                #expect(accepted.status == .confirmed && accepted.sequence == 1)
            }
        }
    }

    @Test func `a request for now is no event`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let id = try await ann.ask(ben)
            await #expect {
                _ = try await export(id, of: ann)
            } throws: { ($0 as? CommandFault)?.code == "refused" }
        }
    }

    @Test func `appointments are the walks to come that nobody ended`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let later = ann.clock.wallTime + .seconds(7200)
            _ = try await ann.ask(ben)
            let kept = try await ann.ask(ben, message: "Kept", at: later)
            let cancelled = try await ann.ask(ben, message: "Cancelled", at: later)
            try await ann.call(WalkCommands.cancel, .init(id: RecordPrefix(cancelled)))
            try await network.settle()
            #expect(try await ben.features.appointments().map(\.notes) == ["Kept"])
            try await ben.call(WalkCommands.decline, .init(id: RecordPrefix(kept)))
            #expect(try await ben.features.appointments().isEmpty)
        }
    }
}
