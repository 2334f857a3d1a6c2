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
        ].map(Self.text).joined()
        let blocks = try Self.blocks()
        #expect(blocks.count >= 8)
        for block in blocks { #expect(sources.contains(block), "not in the sources:\n\(block)") }
    }

    @Test func `a plugin imports PluginKit and no other module of Waggle`() throws {
        let plugins = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: "plugins").path)
        #expect(plugins.count >= 4)
        for folder in plugins.map({ "plugins/\($0)/Sources" }) {
            for name in try FileManager.default.contentsOfDirectory(
                atPath: Self.root.appending(path: folder).path)
            where name.hasSuffix(".swift") {
                let imports = try Self.text("\(folder)/\(name)").split(separator: "\n")
                    .filter { $0.contains("import ") && !$0.hasPrefix(" ") && !$0.hasPrefix("/") }
                for line in imports {
                    let api = folder.split(separator: "/")[1] + "API"
                    let isFine = ["PluginKit", "Foundation", String(api)].contains {
                        line.hasSuffix("import \($0)")
                    }
                    #expect(isFine, "\(folder)/\(name): \(line)")
                }
            }
        }
    }
}
