import FeaturesAPI
import Foundation
import NodeAPI
import NodeTestSupport
import PluginKit
import PromisesAPI
import TestSupport
import Testing

@testable import Node

/// The calendar of all appointments, which a node keeps current in a file.
@Suite(.serialized) struct KeptCalendarTests {
    private func keep(_ value: String, on node: RunningNode) async throws {
        try await node.call(
            ConfigCommands.set,
            .init(
                name: SettingName(CalendarFileSetting.name),
                value: SettingValue(value, field: "value")))
    }

    private func text(_ path: String) -> String? {
        try? String(contentsOfFile: path, encoding: .utf8)
    }

    @Test func `the file is written at once, follows changes, and is not replaced if unchanged`()
        async throws
    {
        let meeting = try await Meeting.mates()
        let (ana, bob) = (meeting.one, meeting.other)
        let path = try TestDirectory.newPath("mine.ics")
        try await keep(path, on: ana)
        #expect(text(path)?.contains("BEGIN:VTIMEZONE") == true)
        let now = try await ana.call(NodeCommands.status).nowMs
        try await ana.call(
            PromiseCommands.create,
            .init(
                title: Text("Dinner"), atMs: now + .seconds(7200), latitude: Latitude(37.5),
                longitude: Longitude(127), with: [NameOrKey(bob.person)]))
        #expect(await eventually { text(path)?.contains("SUMMARY:Dinner\r\n") == true })
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        // Bob is invited after the promise is stored, and the file is written again then.
        let isEqual = await eventually {
            guard let copy = try? TestDirectory.newPath("copy.ics"),
                let saved = try? await ana.call(
                    CalendarCommands.save, .init(file: FilePath(copy)))
            else { return false }
            return text(copy) == text(path) && saved.bytes.value == text(path)?.utf8.count
        }
        #expect(isEqual)
        try await keep("none", on: ana)
        #expect(FileManager.default.fileExists(atPath: path))
        try await meeting.end()
    }

    @Test func `an event that was saved is not replaced, and a link stays a link`() async throws {
        let node = try await RunningNode.start()
        let event = try TestDirectory.newPath("dinner.ics")
        let saved = "BEGIN:VCALENDAR\r\nPRODID:-//Waggle//Waggle//EN\r\nEND:VCALENDAR\r\n"
        try Data(saved.utf8).write(to: URL(filePath: event))
        await #expect(throws: CommandFault.self) { try await keep(event, on: node) }
        #expect(text(event) == saved)
        let target = try TestDirectory.newPath("target.ics")
        let calendar = CalendarFile(name: "Waggle", events: []).text
        try Data((calendar + "\r\n").utf8).write(to: URL(filePath: target))
        let link = try TestDirectory.newPath("link.ics")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: target)
        try await keep(link, on: node)
        #expect(text(target) == calendar)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        try await node.remove()
    }

    @Test func `a file of another program is not replaced, and the setting stays`() async throws {
        let node = try await RunningNode.start()
        let path = try TestDirectory.newPath("other.ics")
        let other = "BEGIN:VCALENDAR\r\nPRODID:-//Other//EN\r\nEND:VCALENDAR\r\n"
        try Data(other.utf8).write(to: URL(filePath: path))
        for file in [path, NSTemporaryDirectory(), "/nowhere/a.ics"] {
            await #expect(throws: CommandFault.self) { try await keep(file, on: node) }
        }
        #expect(text(path) == other)
        let setting = try await node.call(
            ConfigCommands.get, .init(name: SettingName(CalendarFileSetting.name)))
        #expect(setting.value == "none")
        try await node.remove()
    }

    @Test func `a file with the same text is left alone`() throws {
        let path = try TestDirectory.newPath("same.ics")
        let calendar = CalendarFile(name: "Waggle", events: []).text
        try CalendarKeeper.write(calendar, to: path)
        let before = try FileManager.default.attributesOfItem(atPath: path)
        try CalendarKeeper.write(calendar, to: path)
        let after = try FileManager.default.attributesOfItem(atPath: path)
        // A replaced file is another one.
        #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
    }
}
