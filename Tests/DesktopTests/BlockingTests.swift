import Contract
import FeaturesAPI
import PanelKit
import PanelTestSupport
import Testing

@testable import Desktop

/// Blocking a person: the reason, and undoing it.
@MainActor
struct BlockingTests {
    private let node = FakeNode()
    private let view = FakeBoardView()
    private let people = People()
    private let board: PanelBoard
    private let blocking: Blocking

    init() throws {
        board = PanelBoard(
            of: [WalksFake.self], node: node, clock: PanelClock(HastyClock().windowClock),
            people: people, map: FakeMap())
        board.view = view
        blocking = Blocking(try #require(board.panel("walks") as? FakePanel).context)
        people.mates = [
            MateList.Mate(
                person: key("a"), suffix: KeySuffix(key("a")), state: .mate,
                profile: ProfileFields(nickname: "Mina"), present: false)
        ]
        node.answer(MateCommands.block, with: Done())
        node.answer(MateCommands.unblock, with: Done())
    }

    private func settled() async { while board.unfinishedCount > 0 { await Task.yield() } }

    @Test(
        arguments: [
            (.other, " Took our ball ", .other, "Took our ball"), (.other, "  ", .other, nil),
            (.none, "", .other, nil), (.violent, "not asked for", .violent, nil),
            (.unpleasant, "", .unpleasant, nil),
        ] as [(BlockForm.Choice, String, BlockReason, String?)])
    func `a reason may be left out, and only another one has words of the user's own`(
        choice: BlockForm.Choice, text: String, reason: BlockReason, words: String?
    ) throws {
        let request = try BlockForm(choice: choice, text: text).request(about: key("a"))
        #expect(request.reason == reason && request.text?.string == words)
        #expect(request.person == NameOrKey(key("a")))
    }

    @Test func `the user's own words have 100 characters at most`() {
        func request(_ count: Int) throws -> BlockPerson {
            try BlockForm(choice: .other, text: String(repeating: "x", count: count))
                .request(about: key("a"))
        }
        #expect(throws: Never.self) { try request(100) }
        #expect(throws: CommandFault.self) { try request(101) }
    }

    @Test func `a mate is blocked at once, and the end of the mateship cannot be undone`()
        async throws
    {
        let request = BlockPerson(person: NameOrKey(key("a")), reason: .violent)
        blocking.block(key("a"), name: "Mina", request)
        await settled()
        #expect(try node.drainRequests(of: MateCommands.block) == [request])
        #expect(view.undo == nil)
    }

    @Test func `a person who is no mate is blocked at once, and unblocked by undoing it`()
        async throws
    {
        let request = BlockPerson(person: NameOrKey(key("b")), reason: .other)
        blocking.block(key("b"), name: "Someone nearby", request)
        await settled()
        #expect(try node.drainRequests(of: MateCommands.block) == [request])
        board.undo()
        await settled()
        #expect(
            try node.drainRequests(of: MateCommands.unblock)
                == [UnblockPerson(person: NameOrKey(key("b")))])
    }
}
