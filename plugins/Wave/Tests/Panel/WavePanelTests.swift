import Contract
import ControlAPI
import PanelKit
import PanelTestSupport
import Testing
import WaveAPI

@testable import WavePanel

/// The panel of waves without its widgets, which need a display.
@MainActor
struct WavePanelTests {
    private let node = FakeNode()
    private let model: WaveModel

    init() {
        model = WaveModel(node: node)
        let wave = WaveList.Wave(
            id: id("1"), from: key("a"), greeting: "Hello!", atMs: Timestamp(milliseconds: 5))
        node.answer(WaveCommands.list, with: WaveList(waves: [wave]))
        node.answer(WaveCommands.send, with: SentWave(id: id("2")))
    }

    @Test func `waves are listed when the stream of events begins`() async {
        var changeCount = 0
        model.onChange = { changeCount += 1 }
        model.queries.receive(.opened)
        await model.queries.settle()
        #expect(model.waves.map(\.greeting) == ["Hello!"])
        #expect(model.waves.map(\.from) == [key("a")])
        #expect(changeCount == 1)
    }

    @Test(arguments: [(9, "just now"), (10, "10 s ago"), (3600, "1 h ago")] as [(Int64, String)])
    func `a line has the name, the greeting and the age at that moment`(
        seconds: Int64, age: String
    ) {
        let wave = WaveList.Wave(
            id: id("1"), from: key("a"), greeting: "Hello!", atMs: Timestamp(milliseconds: 5))
        let now = Timestamp(milliseconds: 5 + seconds * 1000)
        #expect(model.line(of: wave, names: [key("a"): "Ann"], now: now) == "Ann: Hello! · \(age)")
        #expect(model.line(of: wave, names: [:], now: now) == "Someone: Hello! · \(age)")
    }

    @Test(arguments: [("Hi, Ann", "Hi, Ann"), ("  ", nil)] as [(String, String?)])
    func `a wave is sent with its greeting, or without one, and its event renews the list`(
        typed: String, sent: String?
    ) async throws {
        try await model.wave(at: key("b"), greeting: typed)
        await model.queries.settle()
        let wanted = SendWave(to: NameOrKey(key("b")), greeting: try sent.map { try Text($0) })
        #expect(try node.drainRequests(of: WaveCommands.send) == [wanted])
        #expect(node.drainActions().isEmpty)
        #expect(node.drainQueries().isEmpty)
        model.queries.receive(NodeEvent(WaveEvents.changed, WaveChange(id: id("1"))))
        await model.queries.settle()
        #expect(node.drainQueries() == ["wave/list"])
    }

    @Test func `a greeting of 50 characters is sent and one of 51 is refused with the rule`()
        async throws
    {
        try await model.wave(at: key("b"), greeting: String(repeating: "x", count: 50))
        let fault = await #expect(throws: CommandFault.self) {
            try await model.wave(at: key("b"), greeting: String(repeating: "x", count: 51))
        }
        #expect(fault?.sentence == "'greeting' must have 1 to 50 characters; it has 51")
        #expect(node.drainActions() == ["wave/send"])
    }
}
