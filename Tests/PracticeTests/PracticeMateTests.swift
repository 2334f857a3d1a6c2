import ChatAPI
import Contract
import ControlAPI
import FeaturesAPI
import NodeAPI
import PanelTestSupport
import PluginKit
import Practice
import PromisesAPI
import ProximityDropAPI
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
        mine.answer(DropCommands.show, with: drop(.idle))
        mine.answer(DropCommands.start, with: drop(.finding))
        mine.answer(DropCommands.accept, with: drop(.deciding))
        mine.answer(PromiseCommands.list, with: PromiseList(promises: []))
        mine.answer(ChatCommands.rooms, with: ChatRooms(rooms: [], unread: 0))
    }

    private func drop(
        _ phase: DropPhase, incoming: Bool? = nil, peer: DropStatus.Peer? = nil
    ) -> DropStatus {
        DropStatus(
            phase: phase, incoming: incoming, peer: peer, ranged: .init(available: false))
    }

    /// Lets the practice mate play along for some seconds, and leave.
    private func play(seconds: Int) async throws -> PracticeMate.Ending {
        let end = clock.uptime + .seconds(seconds)
        let mate = PracticeMate(
            mine: mine, yours: yours, clock: clock, isWanted: { [clock] in clock.uptime < end })
        return try await mate.run()
    }

    private var you: DropStatus.Peer {
        DropStatus.Peer(device: key("b"), suffix: KeySuffix(key("b")))
    }

    @Test(arguments: [(1, false), (4, true)])
    func `it joins a drop that you begin, after a moment`(seconds: Int, joins: Bool) async throws {
        mine.answer(DropCommands.show, with: drop(.idle, incoming: true, peer: you))
        _ = try await play(seconds: seconds)
        let starts = try mine.drainRequests(of: DropCommands.start)
        #expect(starts.isEmpty == !joins)
        #expect(starts.allSatisfy { $0.to == NameOrKey(key("b")) })
    }

    @Test func `it joins a drop with anyone, and accepts your card`() async throws {
        let open = NearbyList.Person(
            device: key("c"), suffix: KeySuffix(key("c")), mate: false, dropOpen: true,
            sinceMs: .example)
        mine.answer(NearbyCommands.list, with: NearbyList(people: [open]))
        _ = try await play(seconds: 4)
        #expect(
            try mine.drainRequests(of: DropCommands.start).first?.to == NameOrKey(key("c")))
        mine.answer(DropCommands.show, with: drop(.deciding, peer: you))
        _ = try await play(seconds: 4)
        #expect(mine.drainActions().contains("drop/accept"))
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
