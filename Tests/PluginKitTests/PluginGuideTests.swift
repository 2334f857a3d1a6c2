import Foundation
import Testing

/// The guide shows code that is compiled: each of its blocks occurs in a source file.
@Suite struct PluginGuideTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Returns the Swift blocks of the guide.
    private static func blocks() throws -> [String] {
        try text("docs/plugins.md").components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
    }

    @Test func `every block of the guide occurs in the sources`() throws {
        let sources = try [
            "plugins/Wave/API/WaveCommands.swift", "plugins/Wave/Sources/Wave.swift",
            "plugins/Wave/Sources/Wave+Commands.swift", "plugins/Wave/Panel/WavePanel.swift",
            "plugins/Wave/Panel/WaveModel.swift",
            "plugins/Wave/Tests/WaveTests.swift", "Sources/Features/Groups/Groups.swift",
            "plugins/Chat/Sources/ChatManifest.swift", "plugins/Chat/Panel/ChatQuery.swift",
            "plugins/ProximityDrop/Sources/ProximityDrop.swift",
            "Tests/PluginKitTests/SpotPlugin.swift",
        ].map(Self.text).joined()
        let blocks = try Self.blocks()
        #expect(blocks.count >= 8)
        for block in blocks { #expect(sources.contains(block), "not in the sources:\n\(block)") }
    }

    /// The modules that the files of a plugin may import beside its own API, by folder.
    private static let imports: [(folder: String, modules: Set<String>)] = [
        ("API", ["Contract"]), ("Sources", ["PluginKit", "Foundation"]),
        (
            "Panel",
            [
                "PanelKit", "GtkKit", "Contract", "ControlAPI", "FeaturesAPI", "NodeAPI",
                "Foundation",
            ]
        ),
    ]

    @Test func `each folder of a plugin imports its kit and no other module of Waggle`() throws {
        let plugins = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: "plugins").path)
        #expect(plugins.count >= 4)
        for plugin in plugins {
            for (folder, modules) in Self.imports {
                let path = "plugins/\(plugin)/\(folder)"
                guard FileManager.default.fileExists(atPath: Self.root.appending(path: path).path)
                else { continue }
                try check(path, imports: modules.union([plugin + "API"]))
            }
        }
    }

    private func check(_ folder: String, imports modules: Set<String>) throws {
        for name in try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: folder).path)
        where name.hasSuffix(".swift") {
            let imports = try Self.text("\(folder)/\(name)").split(separator: "\n")
                .filter { $0.contains("import ") && !$0.hasPrefix(" ") && !$0.hasPrefix("/") }
            for line in imports {
                let isFine = line.split(separator: " ").last.map { modules.contains(String($0)) }
                #expect(isFine == true, "\(folder)/\(name): \(line)")
            }
        }
    }
}
