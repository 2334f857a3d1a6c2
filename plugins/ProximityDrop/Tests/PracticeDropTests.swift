import Contract
import ControlAPI
import PanelTestSupport
import PluginKit
import ProximityDrop
import ProximityDropAPI
import Testing

/// The practice mate's part in a drop.
struct PracticeDropTests {
    /// A practice mate whose node answers as the tests say.
    private struct Player: PracticePlayer, PracticeNode {
        let answers = FakeNode()
        var open: [Key] = []
        var isThoughtOver = true

        var node: any PracticeNode { self }
        func devicesOpenToMeet() -> [Key] { open }
        func hasThought(about matter: String) -> Bool { isThoughtOver }
        func forget(_ matter: String) {}

        func call<Request, Answer>(
            _ command: Command<Request, Answer>, _ request: Request
        ) async throws -> Answer {
            try await answers.call(command, request)
        }
    }

    private let you = DropStatus.Peer(device: key("b"), suffix: KeySuffix(key("b")))

    private func drop(
        _ phase: DropPhase, incoming: Bool? = nil, peer: DropStatus.Peer? = nil
    ) -> DropStatus {
        DropStatus(
            phase: phase, incoming: incoming, peer: peer, ranged: .init(available: false))
    }

    private func play(_ player: Player, _ shown: DropStatus) async throws {
        player.answers.answer(DropCommands.show, with: shown)
        player.answers.answer(DropCommands.start, with: drop(.finding))
        player.answers.answer(DropCommands.accept, with: drop(.deciding))
        try await ProximityDrop.practice?.playAlong(player)
    }

    @Test(arguments: [false, true])
    func `it joins a drop that you begin, after a moment`(isThoughtOver: Bool) async throws {
        let player = Player(isThoughtOver: isThoughtOver)
        try await play(player, drop(.idle, incoming: true, peer: you))
        let starts = try player.answers.drainRequests(of: DropCommands.start)
        #expect(starts.map(\.to) == (isThoughtOver ? [NameOrKey(key("b"))] : []))
    }

    @Test func `it joins a drop with anyone`() async throws {
        let player = Player(open: [key("c")])
        try await play(player, drop(.idle))
        let starts = try player.answers.drainRequests(of: DropCommands.start)
        #expect(starts.map(\.to) == [NameOrKey(key("c"))])
    }

    @Test func `it accepts your card`() async throws {
        let player = Player()
        try await play(player, drop(.deciding, peer: you))
        #expect(player.answers.drainActions() == ["drop/accept"])
    }
}
