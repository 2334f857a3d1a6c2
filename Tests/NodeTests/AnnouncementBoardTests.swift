import PluginHost
import PluginKit
import Testing

@Suite struct AnnouncementBoardTests {
    private func manifest(_ id: String, _ fields: [Manifest.AnnouncedField]) -> Manifest {
        Manifest(id: id, version: 1, announces: fields)
    }

    private func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 1, count: count) }

    @Test func `each field is shown when its kind requires it`() {
        var board = AnnouncementBoard([
            manifest(
                "one",
                [
                    .init("a", bytesMax: 1, shown: .always),
                    .init("n", bytesMax: 1, shown: .whileVisible),
                    .init("s", bytesMax: 1, shown: .whileSwitchedOn),
                ])
        ])
        #expect(board.shown.isEmpty)
        for key in ["a", "n", "s"] { board.set(key, [1]) }
        #expect(board.shown.keys == ["a"])
        board.isVisible = true
        #expect(board.shown.keys == ["a", "n"])
        board.setSwitch("s", isOn: true)
        #expect(board.shown.keys == ["a", "n", "s"])
        board.isVisible = false
        board.setSwitch("s", isOn: false)
        board.set("a", nil)
        #expect(board.shown.isEmpty)
    }

    @Test func `a field of its declared length is shown, and one byte more is not`() {
        var board = AnnouncementBoard([
            manifest("one", [.init("a", bytesMax: 5, shown: .always)])
        ])
        board.set("a", bytes(5))
        #expect(board.shown["a"] == bytes(5))
        board.set("a", bytes(6))
        #expect(board.shown.isEmpty)
    }

    @Test func `an undeclared field is not shown`() {
        var board = AnnouncementBoard([])
        board.set("a", [1])
        #expect(board.shown.isEmpty)
    }

    @Test func `without room, switched fields come first, then constant ones, then visible ones`() {
        let fields: [Manifest.AnnouncedField] = [
            .init("n", bytesMax: 96, shown: .whileVisible),
            .init("g", bytesMax: 96, shown: .whileVisible),
        ]
        var board = AnnouncementBoard([
            manifest("one", fields),
            manifest(
                "two",
                [
                    .init("b", bytesMax: 96, shown: .always),
                    .init("i", bytesMax: 22, shown: .whileVisible),
                ]),
            manifest("three", [.init("s", bytesMax: 96, shown: .whileSwitchedOn)]),
        ])
        board.isVisible = true
        board.setSwitch("s", isOn: true)
        for key in ["n", "g", "b", "s"] { board.set(key, bytes(96)) }
        board.set("i", bytes(22))
        // 3 × 99 + 25 = 322 of 377: the second name does not fit, but the interests after it do.
        #expect(board.shown.keys == ["b", "i", "n", "s"])
        board.set("b", nil)
        #expect(board.shown.keys == ["g", "i", "n", "s"])
    }
}
