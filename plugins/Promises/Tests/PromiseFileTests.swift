import Foundation
import PluginKit
import PromisesAPI
import TestSupport
import Testing

@testable import Promises

/// Promises as files of other programs: written for calendars and maps, and read from calendars.
@Suite struct PromiseFileTests {
    private func read(_ path: FilePath) throws -> String {
        try String(contentsOfFile: path.string, encoding: .utf8)
    }

    private func events(_ path: FilePath) throws -> [CalendarEvent] {
        try CalendarFile(ics: Array(try read(path).utf8), zone: .gmt).events
    }

    private func path(_ name: String) throws -> FilePath {
        try FilePath(TestDirectory.newPath(name))
    }

    /// Writes a calendar file with one event of these lines.
    private func calendar(_ lines: String) throws -> FilePath {
        let path = try self.path("event.ics")
        let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\n\(lines)\nEND:VEVENT\nEND:VCALENDAR\n"
        try text.write(toFile: path.string, atomically: false, encoding: .utf8)
        return path
    }

    @Test func `a promise is an event with a stable id and a number that grows with changes`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise()
            func exported(_ host: TestHost) async throws -> CalendarEvent {
                let file = try path("promise.ics")
                let saved = try await host.call(
                    PromiseCommands.export, .init(promise: NameOrKey(id), ics: file))
                #expect(saved.bytes.value == (try read(file)).utf8.count)
                return try #require(try events(file).first)
            }
            let before = try await exported(friends.ann)
            #expect(before.title == "Dinner" && before.status == .confirmed)
            #expect(before.end == before.start + .seconds(3600))
            #expect(before.notes == "Participants: Ben")
            #expect(!before.uid.contains(id.string.prefix(16)))
            let moved = before.start + .seconds(600)
            try await friends.ann.call(
                PromiseCommands.edit, .init(promise: NameOrKey(id), atMs: moved))
            try await network.settle()
            for (host, name) in [
                (friends.ann, "Participants: Ben"), (friends.ben, "Participants: Ann"),
            ] {
                let after = try await exported(host)
                #expect(after.uid == before.uid && after.start == moved)
                #expect(after.sequence > before.sequence)
                #expect(after.notes == name)
            }
        }
    }

    @Test func `all promises ahead are one calendar, and invitations are tentative`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            _ = try await friends.promise()
            _ = try await friends.ann.promise(with: friends.others, title: "Walk")
            let deleted = try await friends.ann.promise(with: friends.others, title: "Never")
            try await friends.ann.call(PromiseCommands.delete, .init(deleted))
            try await network.settle()
            let file = try path("all.ics")
            try await friends.ben.call(PromiseCommands.export, .init(ics: file))
            let found = try events(file).sorted { $0.title < $1.title }
            #expect(found.map(\.title) == ["Dinner", "Walk"])
            #expect(found.map(\.status) == [.confirmed, .tentative])
            let ben = try #require(friends.ben.plugin(Promises.self))
            #expect(try await ben.appointments().map(\.title).sorted() == ["Dinner", "Walk"])
        }
    }

    @Test func `the locations of promises are places on a map`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            _ = try await friends.promise()
            let file = try path("places.geojson")
            try await friends.ann.call(PromiseCommands.export, .init(geojson: file))
            let text = try read(file)
            #expect(text.contains("\"coordinates\":[126.978,37.5665]"))
            #expect(text.contains("\"name\":\"Dinner\""))
        }
    }

    @Test func `one file is named, and a file that exists is not replaced`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = NameOrKey(try await friends.promise())
            let folder = try TestDirectory.make("files")
            let (one, other) = (try FilePath(folder + "/one"), try FilePath(folder + "/other"))
            for request in [ExportPromise(promise: id), .init(ics: one, geojson: other)] {
                await #expect {
                    try await friends.ann.call(PromiseCommands.export, request)
                } throws: { ($0 as? CommandFault)?.code == "refused" }
            }
            try Data("mine".utf8).write(to: URL(filePath: one.string))
            await #expect {
                try await friends.ann.call(PromiseCommands.export, .init(promise: id, ics: one))
            } throws: { ($0 as? CommandFault)?.code == "conflict" }
            #expect(try read(one) == "mine")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["one"])
        }
    }

    @Test func `an event of a calendar is a draft, and nothing is made of it`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let file = try calendar(
                "SUMMARY:A dinner with everyone\nDTSTART:20300101T100000Z\nGEO:37.5;127\n"
                    + "LOCATION:City Hall\\n110 Sejong-daero")
            let draft = try await friends.ann.call(PromiseCommands.draft, .init(file: file))
            #expect(draft.title == "A dinner with e")
            #expect(draft.atMs == Timestamp(milliseconds: 1_893_492_000_000))
            #expect(draft.latitude?.value == 37.5 && draft.longitude?.value == 127)
            #expect(draft.locationName == "City Hall, 110 Sejong-daero")
            let day = try calendar("SUMMARY:Picnic\nDTSTART;VALUE=DATE:20300101")
            let bare = try await friends.ann.call(PromiseCommands.draft, .init(file: day))
            #expect(bare == PromiseDraft(title: "Picnic"))
            #expect(
                try await friends.ann.call(PromiseCommands.list, .init()).promises.isEmpty)
        }
    }

    @Test func `a promise is made of an event, and what the request names goes first`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let at = CalendarFile(events: [
                CalendarEvent(
                    uid: "1", title: "Picnic", start: friends.ann.time(in: .seconds(7200)),
                    point: try Point(latitude: 1, longitude: 2), changed: .min)
            ])
            let file = try path("picnic.ics")
            try at.text.write(toFile: file.string, atomically: false, encoding: .utf8)
            let ben = friends.others.map(\.prefix)
            let made = try await friends.ann.call(
                PromiseCommands.create, .init(from: file, with: ben))
            #expect(made.summary.title == "Picnic" && made.summary.latitude == 1)
            let other = try await friends.ann.call(
                PromiseCommands.create,
                .init(
                    title: Text("Tea"), latitude: Latitude(3), longitude: Longitude(4), from: file,
                    with: ben))
            #expect(other.summary.title == "Tea" && other.summary.longitude == 4)
            #expect(other.summary.atMs == made.summary.atMs)
        }
    }

    @Test func `what neither the request nor the file names is asked for`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let ben = friends.others.map(\.prefix)
            let soon = friends.ann.time(in: .seconds(7200))
            let nowhere = try calendar("SUMMARY:Picnic\nDTSTART:20300101T100000Z")
            let requests: [(CreatePromise, String)] = [
                (.init(atMs: soon, with: ben), "title"),
                (.init(title: try Text("Tea"), with: ben), "time"),
                (.init(from: nowhere, with: ben), "latitude"),
            ]
            for (request, word) in requests {
                await #expect {
                    try await friends.ann.call(PromiseCommands.create, request)
                } throws: { fault in
                    guard case .refused(let sentence) = fault as? CommandFault else { return false }
                    return sentence.english.contains(word)
                }
            }
        }
    }

    @Test func `a folder, a missing file, one that is too long and one without an event`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            func code(_ file: FilePath) async -> String? {
                do {
                    _ = try await friends.ann.call(PromiseCommands.draft, .init(file: file))
                    return nil
                } catch { return (error as? CommandFault)?.code }
            }
            #expect(await code(try FilePath(TestDirectory.make("folder"))) == "notFound")
            #expect(await code(try path("none.ics")) == "notFound")
            #expect(await code(try FilePath("/dev/zero")) == "notFound")
            #expect(await code(try calendar("SUMMARY:No time")) == "refused")
            let long = try path("long.ics")
            try Data(repeating: 0x20, count: FormatLimits.calendarBytesMax + 1)
                .write(to: URL(filePath: long.string))
            #expect(await code(long) == "refused")
        }
    }
}
