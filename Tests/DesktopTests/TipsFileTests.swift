import Foundation
import PanelKit
import TestSupport
import Testing

@testable import Desktop

/// The memory of closed tips.
@MainActor
struct TipsFileTests {
    private let path: String
    private let walk = Tip("walk", "Walk.")
    private let drop = Tip("drop", "Drop.")

    init() throws {
        path = try TestDirectory.make("tips") + "/window.tips"
    }

    @Test func `a tip that was closed is closed in the next window too, and no other is`() throws {
        let first = TipsFile(path: path)
        #expect(first.isOpen(walk) && first.isOpen(drop))
        first.close(walk)
        #expect(!first.isOpen(walk) && first.isOpen(drop))
        let second = TipsFile(path: path)
        #expect(!second.isOpen(walk) && second.isOpen(drop))
        second.close(drop)
        #expect(!TipsFile(path: path).isOpen(walk) && !TipsFile(path: path).isOpen(drop))
    }

    @Test func `a file that is too long or not text closes no tip`() throws {
        let bytes = Data(repeating: 0xff, count: TipsFile.bytesMax + 1)
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(TipsFile(path: path).isOpen(walk))
    }
}
