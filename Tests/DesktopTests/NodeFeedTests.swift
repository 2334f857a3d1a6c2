import Contract
import ControlAPI
import FeaturesAPI
import NodeAPI
import PanelKit
import PanelTestSupport
import Testing

@testable import Desktop

@MainActor
struct NodeFeedTests {
    private let node = FakeNode()
    private let clock = HastyClock()
    private let launcher: FakeLauncher
    private let feed: NodeFeed
    private let changes: AsyncStream<Void>

    init() {
        launcher = FakeLauncher(node)
        feed = NodeFeed(connection: node, launcher: launcher, clock: clock.windowClock)
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        changes = stream
        feed.onChange = { continuation.yield() }
        feed.onFault = { _ in continuation.yield() }
    }

    /// Runs the feed until the condition holds after some change.
    private func follow(
        until isReached: @MainActor () -> Bool, doing step: @MainActor () -> Void = {}
    ) async {
        step()
        guard !isReached() else { return }
        for await _ in changes where isReached() { return }
    }

    @Test func `a running node is followed, and no other is started`() async {
        let running = Task { await feed.run() }
        await follow(until: { feed.stage == .live })
        #expect(launcher.startCount == 0)
        #expect(feed.people.me?.nickname == "Sora")
        #expect(feed.time.nodeTime == Timestamp(milliseconds: 1_000_000))
        running.cancel()
    }

    @Test func `a node that does not run is started once`() async {
        node.isRunning = false
        let running = Task { await feed.run() }
        await follow(until: { feed.stage == .live })
        #expect(launcher.startCount == 1)
        running.cancel()
    }

    @Test func `an event repeats the query that it makes stale and no other`() async {
        let running = Task { await feed.run() }
        await follow(until: { feed.stage == .live })
        _ = node.drainQueries()
        let mate = MateList.Mate(
            person: key("c"), suffix: KeySuffix(key("c")), state: .mate, profile: ProfileFields(),
            present: true)
        node.answer(MateCommands.list, with: MateList(mates: [mate]))
        await follow(until: { feed.people.mates.count == 1 }) { node.emit("mates") }
        #expect(node.drainQueries() == ["mates/list"])
        running.cancel()
    }

    @Test func `after lost events every query is repeated`() async {
        let running = Task { await feed.run() }
        await follow(until: { feed.stage == .live })
        _ = node.drainQueries()
        node.answer(
            LocationCommands.show,
            with: MyLocation(source: .hand, state: .known, latitude: 1, longitude: 2))
        node.answer(ProfileCommands.show, with: FakeNode.me(nickname: "Bora"))
        await follow(until: {
            feed.people.location?.latitude == 1 && feed.people.me?.nickname == "Bora"
        }) { node.emit("lost") }
        running.cancel()
    }

    @Test func `a node that stops leaves the known answers and is found again`() async {
        clock.patience = .zero
        let running = Task { await feed.run() }
        await follow(until: { feed.stage == .live })
        await follow(until: { feed.stage == .lost(nil) }) { node.isRunning = false }
        #expect(feed.people.me?.nickname == "Sora")
        await follow(until: { feed.stage == .live }) { feed.retry() }
        #expect(launcher.startCount == 1)
        running.cancel()
    }

    @Test func `a node that dies is restarted`() async {
        let running = Task { await feed.run() }
        await follow(until: { feed.stage == .live })
        var lives = 1
        feed.onLive = { lives += 1 }
        await follow(until: { lives == 2 }) { node.isRunning = false }
        await follow(until: { lives == 3 }) { node.isRunning = false }
        #expect(launcher.startCount == 2)
        running.cancel()
    }

    /// Returns the pauses, in seconds, before the restarts of a node that ends so many times.
    private func pauses(count: Int, before restart: (Int) -> Void = { _ in }) async -> [Double] {
        let running = Task { await feed.run() }
        await follow(until: { feed.stage == .live })
        var (lives, pauses) = (0, [Double]())
        feed.onLive = { lives += 1 }
        for life in 1...count {
            let before = clock.now
            restart(life)
            await follow(until: { lives == life }) { node.isRunning = false }
            pauses.append((clock.now - before) / .seconds(1))
        }
        running.cancel()
        return pauses
    }

    @Test func `the pause before a restart grows while the node does not stay`() async {
        #expect(await pauses(count: 4) == [0.25, 0.5, 1, 2])
    }

    @Test func `a node that ends as the user wants is restarted without a longer pause`() async {
        let pauses = await pauses(count: 3) { if $0 == 3 { feed.expectEnd() } }
        #expect(pauses == [0.25, 0.5, 0.25])
    }

    @Test func `the reason why a node cannot be restarted is shown until it can`() async {
        let running = Task { await feed.run() }
        await follow(until: { feed.stage == .live })
        let fault = LaunchFault.notInstalled(lookedIn: ["/bin"])
        launcher.fault = fault
        await follow(until: { feed.stage == .lost(fault.description) }) { node.isRunning = false }
        await follow(until: { feed.stage == .live }) { launcher.fault = nil }
        running.cancel()
    }

    @Test func `the reason why a node cannot be started is shown, and the user can try again`()
        async
    {
        node.isRunning = false
        launcher.fault = .notInstalled(lookedIn: ["/bin"])
        clock.patience = .zero
        let running = Task { await feed.run() }
        await follow(until: { if case .notRunning = feed.stage { true } else { false } })
        #expect(feed.stage == .notRunning(LaunchFault.notInstalled(lookedIn: ["/bin"]).description))
        launcher.fault = nil
        // The reason is reported before the feed begins to wait, so it may not hear the first call.
        while feed.stage != .live {
            feed.retry()
            clock.patience = .seconds(1_000_000)
            await Task.yield()
        }
        #expect(launcher.startCount == 2)
        running.cancel()
    }

    @Test func `one refused query is reported and the other answers are shown`() async {
        node.refuse(LocationCommands.show)
        var faults: [String] = []
        feed.onFault = { faults.append(String(describing: $0)) }
        let running = Task { await feed.run() }
        await follow(until: { feed.stage == .live })
        #expect(faults == ["There is no location/show."])
        #expect(feed.people.me?.nickname == "Sora")
        running.cancel()
    }

    @Test(
        arguments: [
            (NodeEvent(ProfileEvents.changed, ProfileChange()), [.me]),
            (NodeEvent(LocationEvents.changed, LocationChange()), [.location, .mates]),
            (NodeEvent(LocationEvents.changed, LocationChange(me: true)), [.location]),
            (NodeEvent(LocationEvents.changed, LocationChange(me: false)), [.mates]),
            (NodeEvent(MateEvents.changed, MateChange(part: .presence)), [.mates]),
            (NodeEvent(LinkEvents.changed, LinkChange(state: .up)), [.status]),
            (NodeEvent(LinkEvents.changed, LinkChange(state: .down)), []),
            (NodeEvent(StatusEvents.changed, StatusChange(clockSet: true)), [.status]),
            (NodeEvent(StatusEvents.changed, StatusChange(inSync: true)), []),
            (NodeEvent(WalkEvents.changed, WalkChange()), []),
            (NodeEvent(topic: "unheard of"), []), (.opened, SharedQuery.allCases),
            (.lost(count: 1), SharedQuery.allCases),
        ] as [(NodeEvent, [SharedQuery])])
    func `an event costs the queries whose answers it changes`(
        event: NodeEvent, cost: [SharedQuery]
    ) {
        #expect(feed.queries.stale(after: event) == cost)
    }
}
