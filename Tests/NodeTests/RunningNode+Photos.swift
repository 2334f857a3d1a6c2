import ControlAPI
import Foundation
import NodeTestSupport
import PluginKit
import TestSupport
import Testing

extension FilePath {
    /// Writes a PNG of one pixel; returns its path.
    static func picture() throws -> FilePath {
        try png(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8Dw"
                + "HwAFAAH/iZk9HQAAAABJRU5ErkJggg==")
    }

    /// Writes a PNG of one blue pixel, which is another content; returns its path.
    static func bluePicture() throws -> FilePath {
        try png(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYPgP"
                + "AAEDAQAIicLsAAAAAElFTkSuQmCC")
    }

    private static func png(_ base64: String) throws -> FilePath {
        let png = try #require(Data(base64Encoded: base64))
        let path = try TestDirectory.newPath("pixel.png")
        try png.write(to: URL(fileURLWithPath: path))
        return try FilePath(path)
    }
}

extension RunningNode {
    /// The hashes of the files with content of this node.
    var content: Set<String> {
        let all = FileManager.default.enumerator(atPath: home.blobsDirectory)?.allObjects
        let names = (all as? [String] ?? []).filter { !$0.hasPrefix("partial") }
        return Set(
            names.compactMap { $0.split(separator: "/").last.map(String.init) }.filter {
                $0.utf8.count == 64
            })
    }

    /// Changes the last byte of each photo on the disk of this node, which may have stopped.
    func damagePhotos() throws {
        let directory = URL(fileURLWithPath: home.blobsDirectory)
        let files = FileManager.default.enumerator(
            at: directory, includingPropertiesForKeys: [.isRegularFileKey])
        var changedCount = 0
        for case let file as URL in try #require(files)
        where try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
            var content = try Data(contentsOf: file)
            content[content.endIndex - 1] ^= 1
            try content.write(to: file)
            changedCount += 1
        }
        #expect(changedCount > 0)
    }
}
