import Contract
import ControlAPI
import FeaturesAPI
import NodeAPI
import PanelTestSupport
import PluginKit
import Practice
import Synchronization
import Testing

/// The practice mate between two nodes that answer as the tests say.
struct PracticeMateTests {
    /// A clock on which every wait ends at once.
    private final class SkippingClock: NodeClock {
        private let passed = Mutex(Duration.zero)

        var wallTime: Timestamp { .example + uptime }
        var uptime: Duration { passed.withLock(\.self) }

        func sleep(for duration: Duration) async throws { passed.withLock { $0 += duration } }
    }

    private let mine = FakeNode()
    private let yours = FakeNode()
    private let clock = SkippingClock()

    init() {
        mine.answer(ProfileCommands.edit, with: FakeNode.me(nickname: "Practice mate"))
        mine.answer(NodeCommands.listPeers, with: PeerList(peers: []))
    }

    /// Lets the practice mate play along for some seconds, and leave.
    private func play(
        seconds: Int, _ parts: [PracticePart] = []
    ) async throws -> PracticeMate.Ending {
        let end = clock.uptime + .seconds(seconds)
        let mate = PracticeMate(
            mine: mine, yours: yours, parts: parts, clock: clock,
            isWanted: { [clock] in clock.uptime < end })
        return try await mate.run()
    }

    @Test(arguments: [(1, false), (4, true)])
    func `a plugin's part answers after a moment, though another one fails`(
        seconds: Int, answers: Bool
    ) async throws {
        let request = WalkReference(id: RecordPrefix(id("9")))
        let failing = PracticePart { _ in throw CommandFault.refused("The state has changed.") }
        let answering = PracticePart { mate in
            guard await mate.hasThought(about: "it") else { return }
            _ = try await mate.node.call(WalkCommands.decline, request)
        }
        _ = try await play(seconds: seconds, [failing, answering])
        #expect(mine.drainActions().contains("walk/decline") == answers)
    }

    @Test func `a plugin's part sees who waits to meet another`() async throws {
        let seen = Mutex<[Key]>([])
        let person = NearbyList.Person(
            device: key("c"), suffix: KeySuffix(key("c")), mate: false, isOpenToMeet: true,
            sinceMs: .example)
        mine.answer(NearbyCommands.list, with: NearbyList(people: [person]))
        let looking = PracticePart { mate in
            let devices = try await mate.devicesOpenToMeet()
            seen.withLock { $0 = devices }
        }
        _ = try await play(seconds: 1, [looking])
        #expect(seen.withLock(\.self) == [key("c")])
    }

    @Test func `it accepts a walk once for each request that waits`() async throws {
        let request = WalkRequest(
            id: id("1"), direction: .received, person: key("a"), latitude: 1, longitude: 2,
            message: "A walk?", createdMs: .example, state: .pending)
        mine.answer(WalkCommands.list, with: WalkList(requests: [request]))
        _ = try await play(seconds: 4)
        let accepted = try mine.drainRequests(of: WalkCommands.accept)
        #expect(Set(accepted.map(\.id)) == [RecordPrefix(id("1"))])
    }

    @Test func `it stands near you, and no location is sent again while you stay`() async throws {
        yours.answer(
            LocationCommands.show,
            with: MyLocation(source: .hand, state: .known, latitude: 37.5, longitude: 127))
        mine.answer(
            LocationCommands.set,
            with: MyLocation(source: .hand, state: .known, latitude: 37.5015, longitude: 127.001))
        _ = try await play(seconds: 5)
        let sent = try mine.drainRequests(of: LocationCommands.set)
        #expect(sent.map(\.latitude.value) == [37.5015])
    }

    @Test func `it leaves by deleting itself, and is removed from your mates`() async throws {
        #expect(try await play(seconds: 1) == .gone)
        #expect(mine.drainActions().last == "me/delete")
        #expect(yours.drainActions() == ["mates/remove"])
    }

    @Test func `if you are away for too long, the mateship is left for the next start`()
        async throws
    {
        yours.isRunning = false
        let mate = MateList.Mate(
            person: key("a"), suffix: KeySuffix(key("a")), state: .mate,
            profile: ProfileFields(nickname: "Sora"), present: false)
        mine.answer(MateCommands.list, with: MateList(mates: [mate]))
        #expect(try await play(seconds: 1000) == .unfinished)
        #expect(clock.uptime < .seconds(60))
        let actions = mine.drainActions()
        #expect(actions.last == "stop/run" && !actions.contains("me/delete"))
    }
}
