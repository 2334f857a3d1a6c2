import ControlAPI
import ControlClient
import FeaturesAPI
import Foundation
import NodeAPI
import NodeTestSupport
import Notifications
import PluginKit
import Synchronization
import TestSupport
import Testing

@testable import Node

/// The settings of a node, as `config` shows and changes them.
@Suite(.serialized) struct ConfigTests {
    private func set(_ name: String, _ value: String, on node: RunningNode) async throws -> String {
        try await node.call(
            ConfigCommands.set, .init(name: try SettingName(name), value: try SettingValue(value))
        ).value.string
    }

    private func get(_ name: String, on node: RunningNode) async throws -> String {
        try await node.call(ConfigCommands.get, .init(name: try SettingName(name))).value.string
    }

    @Test func `the settings are listed with what each may be`() async throws {
        let node = try await RunningNode.start()
        let settings = try await node.call(ConfigCommands.list).settings
        let values = Dictionary(
            uniqueKeysWithValues: settings.map { ($0.name.string, $0.value.string) })
        #expect(
            values == [
                "notifications.level": "everything", "notifications.quiet": "off",
                "notifications.walk": "on", "notifications.group": "on", "notifications.drop": "on",
                "notifications.chat": "on", "notifications.promise": "on",
                "notifications.posts": "on", "notifications.correspondence": "on",
                "notifications.mates": "on", "notifications.walklog": "on",
                "notifications.matching": "on",
                "visibility": "mates",
                "location.source": "hand", "map.file": "none",
                "calendar.file": "none", "language": "system",
                "theme": "system", "storage.author": "64", "storage.total": "2048",
                "storage.free": "200", "storage.photos": "2048", "data.folder": node.home.directory,
            ])
        #expect(settings.filter(\.isFile).map(\.name.string) == ["map.file", "calendar.file"])
        let level = settings.first { $0.name == "notifications.level" }
        #expect(level?.choices.map(\.string) == ["everything", "names", "new"])
        #expect(settings.allSatisfy { !$0.help.string.isEmpty && !$0.allowed.string.isEmpty })
        try await node.remove()
    }

    @Test func `a changed setting is stored, told, and back after a restart`() async throws {
        var node = try await RunningNode.start()
        let told = Mutex<String?>(nil)
        let listener = Task { [client = node.client] in
            for try await event in client.events() where event.topic == "config" {
                let body = try JSONDecoder().decode(ConfigChange.self, from: event.body)
                told.withLock { $0 = body.name?.string }
                return
            }
        }
        // A change before the listener is connected is not told.
        let isTold = await eventually {
            _ = try? await set("notifications.quiet", "off", on: node)
            let value = try? await set("notifications.quiet", "22:00-7:00", on: node)
            return value == "22:00-07:00" && told.withLock { $0 == "notifications.quiet" }
        }
        #expect(isTold)
        listener.cancel()
        #expect(try await set("notifications.chat", "off", on: node) == "off")
        try await node.stop()
        node = try await RunningNode.start(node.home)
        #expect(try await get("notifications.quiet", on: node) == "22:00-07:00")
        #expect(try await get("notifications.chat", on: node) == "off")
        let settings = try NodeSettings(home: node.home)
        let preferences = settings.noticePreferences([
            .init("chat", help: ""), .init("walk", help: ""),
        ])
        #expect(preferences.quiet == QuietHours("22:00-07:00") && preferences.off == ["chat"])
        #expect(try await set("notifications.quiet", "default", on: node) == "off")
        try await node.remove()
    }

    @Test(arguments: [
        ("notifications.level", "loud", "everything, names or new"),
        ("notifications.quiet", "22", "off, or the hours of each day, such as 22:00-07:00"),
        ("notifications.walk", "1", "on or off"),
        ("storage.total", "0", "a whole number from 1 to 1048576"),
        ("storage.free", "-1", "a whole number from 0 to 1048576"),
        ("map.file", "seoul.mbtiles", "none, or the full path of a file, beginning with /"),
        ("language", "fr", "system, en or ko"),
        ("theme", "black", "system, light or dark"),
        ("data.folder", "/tmp", "chosen with --home when Waggle starts"),
        ("data.folder", "default", "chosen with --home when Waggle starts"),
    ])
    func `a value that is not allowed is refused with what is`(
        name: String, value: String, allowed: String
    ) async throws {
        let node = try await RunningNode.start()
        let before = try await get(name, on: node)
        await #expect(
            throws: CommandFault.refused(
                "'\(name)' is \(allowed); it cannot be '\(value)'.")
        ) { _ = try await set(name, value, on: node) }
        #expect(try await get(name, on: node) == before)
        await #expect(
            throws: CommandFault.notFound(
                "There is no setting 'notifications.nothing'; see 'config list'.")
        ) { _ = try await get("notifications.nothing", on: node) }
        try await node.remove()
    }

    @Test func `a setting and the command that has always changed it agree`() async throws {
        let node = try await RunningNode.start()
        try await node.call(ProfileCommands.edit, Meeting.profile("Ana", dog: "Rex"))
        #expect(try await set("storage.author", "8", on: node) == "8")
        #expect(try await node.call(NodeCommands.storage).authorBytesMax == 8_388_608)
        try await node.call(NodeCommands.setStorage, .init(authorMebibytes: Whole(16)))
        #expect(try await get("storage.author", on: node) == "16")
        #expect(try await set("visibility", "everyone", on: node) == "everyone")
        #expect(try await node.call(NearbyCommands.visibility).level == .everyone)
        try await node.call(NearbyCommands.showToMates)
        #expect(try await get("visibility", on: node) == "mates")
        #expect(try await set("location.source", "gpsd", on: node) == "gpsd")
        #expect(try await node.call(LocationCommands.show).source == .gpsd)
        try await node.remove()
    }

    @Test func `the language, the theme and the map's file are stored as they are set`()
        async throws
    {
        var node = try await RunningNode.start()
        for (name, value) in [
            ("language", "ko"), ("theme", "dark"), ("map.file", "/srv/Seoul maps/서울.mbtiles"),
        ] { #expect(try await set(name, value, on: node) == value) }
        try await node.stop()
        node = try await RunningNode.start(node.home)
        #expect(try await get("language", on: node) == "ko")
        #expect(try await get("theme", on: node) == "dark")
        #expect(try await get("map.file", on: node) == "/srv/Seoul maps/서울.mbtiles")
        #expect(try await set("map.file", "none", on: node) == "none")
        try await node.remove()
    }

    @Test func `a value of another version counts as none`() throws {
        let home = try RunningNode.founded()
        defer { try? FileManager.default.removeItem(atPath: home.directory) }
        try Data(#"{"peers": [], "values": {"notifications.level": "whispered"}}"#.utf8)
            .write(to: URL(fileURLWithPath: home.settingsFile))
        #expect(try NodeSettings(home: home).value(of: .level) == "everything")
    }
}
