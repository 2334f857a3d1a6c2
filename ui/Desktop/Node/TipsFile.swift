import Files
import Foundation
import PanelKit

/// The tips that are shown no longer, in a small file of the home: one id a line.
@MainActor
final class TipsFile: TipStore {
    private let path: String
    private var closed: Set<String>

    /// The longest file that is read, in bytes.
    static let bytesMax = 4096

    /// Reads the file of a home, if there is one.
    init(path: String) {
        self.path = path
        let bytes = FileManager.default.contents(atPath: path) ?? Data()
        let lines = bytes.count <= Self.bytesMax ? String(decoding: bytes, as: UTF8.self) : ""
        closed = Set(lines.split(separator: "\n").map(String.init))
    }

    func isOpen(_ tip: Tip) -> Bool { !closed.contains(tip.id) }

    /// Shows a tip never again. If the file cannot be written, that holds for this window only.
    func close(_ tip: Tip) {
        guard closed.insert(tip.id).inserted else { return }
        try? SafeFile.write(
            Array(closed.sorted().map { $0 + "\n" }.joined().utf8), to: path)
    }
}
