import Contract
import FeaturesAPI
import Foundation
import PanelKit
import PanelTestSupport
import TestSupport
import Testing

@testable import Desktop

/// The folder of the files that are dragged out of the window.
@MainActor
struct DraggedFilesTests {
    private let folder: String
    private let files: DraggedFiles

    init() throws {
        folder = try TestDirectory.make("home") + "/dragged"
        files = DraggedFiles(folder: folder)
    }

    private func drag(_ name: String = "Mina.vcf") throws -> String {
        let path = try #require(files.newFile(named: name))
        try Data("card".utf8).write(to: URL(filePath: path))
        return path
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `files of one name are beside each other, in folders for the user alone`() throws {
        let (one, other) = (try drag(), try drag())
        #expect(one != other)
        for path in [one, other] {
            #expect(path.hasSuffix("/Mina.vcf"))
            #expect(FileManager.default.fileExists(atPath: path))
            let place = URL(filePath: path).deletingLastPathComponent().path
            #expect(try permissions(place) == 0o700)
        }
        #expect(try permissions(folder) == 0o700)
    }

    @Test func `as many files as the limit are kept, and the oldest is removed for one more`()
        throws
    {
        let paths = try (0..<DraggedFiles.filesMax).map { _ in try drag() }
        #expect(paths.allSatisfy(FileManager.default.fileExists))
        _ = try drag()
        #expect(!FileManager.default.fileExists(atPath: paths[0]))
        #expect(FileManager.default.fileExists(atPath: paths[1]))
    }

    @Test func `they are removed with the window, and by the next one if it crashed`() throws {
        _ = try drag()
        files.remove()
        #expect(!FileManager.default.fileExists(atPath: folder))
        _ = try drag()
        _ = DraggedFiles(folder: folder)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    private func contact(of name: String) -> Export<ExportMate> {
        Export(named: name, ending: "vcf", MateCommands.export) {
            ExportMate(person: NameOrKey(key("a")), vcard: $0)
        }
    }

    @Test func `the node writes what a panel exports, and the files end with the window`()
        async throws
    {
        let node = FakeNode()
        node.answer(
            MateCommands.export, with: SavedFile(file: try FilePath("/Mina.vcf"), bytesCount: 4))
        let board = PanelBoard(
            of: [WalksFake.self], node: node, clock: PanelClock(HastyClock().windowClock),
            people: People(), map: FakeMap(), draggedFiles: files)
        let context = try #require(board.panel("walks") as? FakePanel).context
        let drag = try #require(context.dragging(contact(of: "Mina 🐕 / Kim")))
        let path = try #require(drag())
        #expect(path.hasPrefix(folder) && path.hasSuffix("/Mina-Kim.vcf"))
        var requests: [ExportMate] = []
        while requests.isEmpty {
            await Task.yield()
            requests = try node.drainRequests(of: MateCommands.export)
        }
        #expect(requests.map(\.vcard.string) == [path])
        #expect(context.dragging(nil as Export<ExportMate>?) == nil)
        board.close()
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func `the name of a file has at most 200 bytes and an ending`() {
        #expect(contact(of: String(repeating: "x", count: 200)).fileName.utf8.count == 204)
        #expect(contact(of: String(repeating: "x", count: 201)).fileName.utf8.count == 204)
        #expect(contact(of: String(repeating: "가", count: 67)).fileName.utf8.count == 202)
        #expect(contact(of: "🐕").fileName == "waggle.vcf")
    }

    @Test func `without a place for the folder nothing can be dragged`() throws {
        try Data().write(to: URL(filePath: folder))
        #expect(files.newFile(named: "Mina.vcf") == nil)
    }
}
