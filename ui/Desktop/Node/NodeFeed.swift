import ControlAPI
import Foundation

/// Follows one node: finds it, starts it once where it does not run, asks everything, and asks
/// again what its events say has changed.
@MainActor
final class NodeFeed {
    /// How far the window has come with its node.
    enum Stage: Equatable {
        case connecting
        case starting
        /// Nothing answers and nothing could be started, with a sentence that says why.
        case notRunning(String)
        case live
        /// It answered before and is gone.
        case lost
    }

    /// How long a node that was just started may take to answer.
    static let startTimeMax = Duration.seconds(15)
    /// How often a node that was just started is asked whether it is there.
    static let startPoll = Duration.milliseconds(100)

    private(set) var stage = Stage.connecting
    private(set) var picture = Picture()
    /// Called whenever the stage or the picture is another.
    var onChange: @MainActor () -> Void = {}
    /// Called for each event of the node.
    var onEvent: @MainActor (NodeEvent) -> Void = { _ in }
    /// Called with a sentence where the node will not answer a query.
    var onFault: @MainActor (String) -> Void = { _ in }

    private let connection: any NodeConnection
    private let launcher: any NodeStarting
    private let clock: WindowClock
    private var backOff = BackOff()
    private var stale: Set<Noun> = []
    private var refresher: Task<Void, Never>?
    private var nap: (id: Int, waiter: CheckedContinuation<Void, Never>)?
    private var napCount = 0

    init(connection: any NodeConnection, launcher: any NodeStarting, clock: WindowClock) {
        self.connection = connection
        self.launcher = launcher
        self.clock = clock
    }

    /// Follows the node until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                try await follow()
            } catch is NodeUnreachable where stage == .connecting {
                while await !start() { await waitForRetry() }
            } catch {
                await waitAfter(error)
            }
        }
    }

    /// Tries again now; where no node was found, starts one.
    func retry() {
        isStartWanted = true
        endNap()
    }

    private var isStartWanted = false

    /// The words of a person that was created at this start; given once.
    func takeRecoveryWords() -> [String]? {
        launcher.takeRecoveryWords()
    }

    /// Listens first and asks then, so that no change falls between; ends only by throwing.
    private func follow() async throws {
        for try await event in connection.events() {
            if event.topic == NodeEvent.opened.topic {
                for noun in Noun.allCases { try await ask(noun) }
                backOff.reset()
                enter(.live)
            } else {
                refresh(Noun.changed(byTopic: event.topic))
            }
            onEvent(event)
        }
        throw NodeUnreachable(reason: "The node ended its event stream.")
    }

    /// Starts a node and waits until it answers; says whether it does.
    private func start() async -> Bool {
        enter(.starting)
        let deadline = clock.now() + Self.startTimeMax
        do {
            if await answers() { return true }
            try await launcher.start()
            while clock.now() < deadline {
                await rest(Self.startPoll)
                if await answers() { return true }
                try launcher.checkAlive()
            }
            throw LaunchFault.silent(after: Self.startTimeMax)
        } catch {
            enter(.notRunning(String(describing: error)))
            return false
        }
    }

    /// Waits until the user wants another attempt, or somebody else started a node.
    private func waitForRetry() async {
        isStartWanted = false
        while !isStartWanted {
            await rest(BackOff.longest)
            if await answers() { return }
        }
    }

    private func answers() async -> Bool {
        (try? await connection.get("status/show", as: NodeStatus.self)) != nil
    }

    private func waitAfter(_ error: any Error) async {
        switch stage {
        case .live, .lost: enter(.lost)
        default: enter(.notRunning(String(describing: error)))
        }
        try? launcher.checkAlive()
        isStartWanted = false
        await rest(backOff.next())
        if isStartWanted, !(await answers()) { try? await launcher.start() }
    }

    private func refresh(_ nouns: [Noun]) {
        stale.formUnion(nouns)
        guard refresher == nil else { return }
        refresher = Task { [weak self] in await self?.refreshStale() }
    }

    private func refreshStale() async {
        defer { refresher = nil }
        while let noun = stale.popFirst() {
            // A node that is gone ends the event stream too, and that is where it is dealt with.
            guard (try? await ask(noun)) != nil else { return }
        }
    }

    /// Asks one noun again. A refusal is reported and leaves what was known; only a node that does
    /// not answer at all is thrown.
    private func ask(_ noun: Noun) async throws {
        let before = picture
        do {
            try await fetch(noun)
        } catch let fault as NodeUnreachable {
            throw fault
        } catch {
            onFault(String(describing: error))
        }
        if picture != before, stage == .live { onChange() }
    }

    private func fetch(_ noun: Noun) async throws {
        switch noun {
        case .status: try await askStatus()
        case .me: picture.me = try await connection.get("me/show", as: Me.self)
        case .place: picture.place = try await connection.get("location/show", as: MyPlace.self)
        case .mates: picture.mates = try await connection.get("mates/list", as: MateList.self)
        case .nearby: picture.nearby = try await connection.get("nearby/list", as: Nearby.self)
        case .visibility: try await askVisibility()
        case .walks: try await askWalks()
        case .inbox: picture.inbox = try await connection.get("inbox/list", as: Inbox.self)
        }
    }

    private func askStatus() async throws {
        let status = try await connection.get("status/show", as: NodeStatus.self)
        picture.clockOffsetMs = status.nowMs &- clock.now().wholeMilliseconds
        picture.status = status
    }

    private func askWalks() async throws {
        picture.walks = try await connection.get("walk/list", as: WalkList.self)
        picture.walksTakenAt = clock.now()
    }

    private func askVisibility() async throws {
        picture.visibility = try await connection.get("visibility/show", as: Visibility.self)
        picture.visibilityTakenAt = clock.now()
    }

    private func enter(_ next: Stage) {
        guard next != stage || next == .live else { return }
        stage = next
        onChange()
    }

    /// Rests for a time; ``retry()`` ends it early.
    private func rest(_ time: Duration) async {
        napCount += 1
        let id = napCount
        await withCheckedContinuation { waiter in
            nap = (id, waiter)
            clock.after(time) { [weak self] in self?.endNap(id) }
        }
    }

    private func endNap(_ id: Int? = nil) {
        guard let nap, id == nil || id == nap.id else { return }
        self.nap = nil
        nap.waiter.resume()
    }
}

/// The window's clock: the main loop's own in the program, one that a test moves in a test.
@MainActor
struct WindowClock {
    /// The time on a clock that nobody sets.
    var now: @MainActor () -> Duration
    /// Calls back once, so long from now.
    var after: @MainActor (Duration, @escaping @MainActor () -> Void) -> Void
}
