import ControlAPI
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

    @Test func `a running node is followed and none is started`() async {
        let running = Task { await feed.run() }
        await follow(until: { feed.stage == .live })
        #expect(launcher.startCount == 0)
        #expect(feed.picture.me?.nickname == "Sora")
        #expect(feed.picture.nodeTimeMs(at: clock.now) == 1_000_000)
        running.cancel()
    }

    @Test func `a node that does not run is started once`() async {
        node.isRunning = false
        let running = Task { await feed.run() }
        await follow(until: { feed.stage == .live })
        #expect(launcher.startCount == 1)
        running.cancel()
    }

    @Test func `an event asks again for its noun and for no other`() async {
        let running = Task { await feed.run() }
        await follow(until: { feed.stage == .live })
        _ = node.takeAsked()
        node.set(
            "mates/list",
            #"{"mates":[{"person":"p","suffix":"s","state":"mate","present":true,"profile":{}}]}"#)
        await follow(until: { feed.picture.mates.mates.count == 1 }) { node.emit("mates") }
        #expect(node.takeAsked() == ["mates/list"])
        running.cancel()
    }

    @Test func `after lost events everything is asked again`() async {
        let running = Task { await feed.run() }
        await follow(until: { feed.stage == .live })
        _ = node.takeAsked()
        node.set("location/show", #"{"latitude":1,"longitude":2}"#)
        node.set("me/show", #"{"person":"p","suffix":"s","complete":true,"nickname":"Bora"}"#)
        await follow(until: {
            feed.picture.place.latitude == 1 && feed.picture.me?.nickname == "Bora"
        }) { node.emit("lost") }
        running.cancel()
    }

    @Test func `a node that goes away keeps its picture and is found again`() async {
        clock.patience = .zero
        let running = Task { await feed.run() }
        await follow(until: { feed.stage == .live })
        await follow(until: { feed.stage == .lost }) { node.isRunning = false }
        #expect(feed.picture.me?.nickname == "Sora")
        await follow(until: { feed.stage == .live }) { feed.retry() }
        #expect(launcher.startCount == 1)
        running.cancel()
    }

    @Test func `a node that cannot be started is said with its reason, and can be tried again`()
        async
    {
        node.isRunning = false
        launcher.fault = .notInstalled(lookedIn: ["/bin"])
        clock.patience = .zero
        let running = Task { await feed.run() }
        await follow(until: { if case .notRunning = feed.stage { true } else { false } })
        #expect(feed.stage == .notRunning(LaunchFault.notInstalled(lookedIn: ["/bin"]).description))
        launcher.fault = nil
        // The reason is told before the feed begins to wait, so it may not hear the first call.
        while feed.stage != .live {
            feed.retry()
            clock.patience = .seconds(1_000_000)
            await Task.yield()
        }
        #expect(launcher.startCount == 2)
        running.cancel()
    }

    @Test func `one refused query is said and the rest is shown`() async {
        node.set("inbox/list", nil)
        var faults: [String] = []
        feed.onFault = { faults.append($0) }
        let running = Task { await feed.run() }
        await follow(until: { feed.stage == .live })
        #expect(faults == ["There is no inbox/list."])
        #expect(feed.picture.me?.nickname == "Sora")
        running.cancel()
    }

    @Test(arguments: [
        ("me", [Noun.me]), ("walk", [.walks, .inbox]), ("location", [.place, .mates]),
        ("drop", []), ("unheard of", []), ("open", Noun.allCases),
    ])
    func `every topic names what it makes stale`(topic: String, nouns: [Noun]) {
        #expect(Noun.changed(byTopic: topic) == nouns)
    }
}
