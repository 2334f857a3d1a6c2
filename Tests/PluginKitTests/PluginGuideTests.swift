import Foundation
import Testing

/// The guide shows code that is compiled: each of its blocks stands in a source file.
@Suite struct PluginGuideTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The Swift blocks of the guide.
    private static func blocks() throws -> [String] {
        try text("docs/plugins.md").components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
    }

    @Test func `every block of the guide occurs in the sources`() throws {
        let sources = try [
            "plugins/Wave/Sources/Wave.swift", "plugins/Wave/Sources/WaveCommands.swift",
            "Tests/PluginKitTests/WaveTests.swift", "Sources/Neighbours/Groups.swift",
            "plugins/Chat/Sources/ChatManifest.swift",
        ].map(Self.text).joined()
        let blocks = try Self.blocks()
        #expect(blocks.count >= 8)
        for block in blocks { #expect(sources.contains(block), "not in the sources:\n\(block)") }
    }

    @Test func `a plugin imports PluginKit and nothing else of Waggle`() throws {
        let plugins = ["Wave", "ProximityDrop", "Chat", "Promises"]
        for folder in plugins.map({ "plugins/\($0)/Sources" }) {
            for name in try FileManager.default.contentsOfDirectory(
                atPath: Self.root.appending(path: folder).path)
            where name.hasSuffix(".swift") {
                let imports = try Self.text("\(folder)/\(name)").split(separator: "\n")
                    .filter { $0.contains("import ") && !$0.hasPrefix(" ") && !$0.hasPrefix("/") }
                for line in imports {
                    let isFine = ["PluginKit", "Foundation"].contains {
                        line.hasSuffix("import \($0)")
                    }
                    #expect(isFine, "\(folder)/\(name): \(line)")
                }
            }
        }
    }
}
