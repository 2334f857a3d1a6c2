import Contract
import ControlAPI
import FeaturesAPI
import NodeAPI
import PanelKit

/// Follows one node: finds it, starts it if it does not run, restarts it if it ends, and keeps the
/// data that all panels share up to date: the node's time, the user and the user's mates.
@MainActor
final class NodeFeed {
    /// The state of the connection to the node.
    enum Stage: Equatable {
        case connecting
        case starting
        /// No node answers and none could be started, with a sentence that says why.
        case notRunning(String)
        case live
        /// It answered before and no longer does. It is restarted, unless a sentence says why that
        /// is not possible.
        case lost(String?)
    }

    /// The time in which a node that was just started has to answer.
    static let startTimeMax = Duration.seconds(15)
    /// The time for which a node must have answered so that its next restart is not delayed by
    /// the ones before.
    static let steadyAfter = Duration.seconds(60)
    /// The pause between two looks for a node that another program started.
    static let lookAgain = Duration.seconds(8)
    /// The pause between two checks whether a started node answers.
    static let startPoll = Duration.milliseconds(100)

    private(set) var stage = Stage.connecting
    /// The window's clock and the node's time.
    let time: PanelClock
    /// The user and the user's mates.
    let people = People()
    /// Called whenever the stage or the people have changed.
    var onChange: @MainActor () -> Void = {}
    /// Called when the node answers, for the first time or again.
    var onLive: @MainActor () -> Void = {}
    /// Called for each event of the node, after the queries that all panels share.
    var onEvent: @MainActor (NodeEvent) -> Void = { _ in }
    /// Called when the node refuses to answer a query.
    var onFault: @MainActor (any Error) -> Void = { _ in }

    private let connection: any NodeConnection
    private let launcher: any NodeStarting
    private let clock: WindowClock
    private var backOff = BackOff()
    /// The time when the node began to answer; nil while it does not.
    private var liveSince: Duration?
    /// The node's version, as it last reported it.
    private(set) var version = ""
    private(set) lazy var queries = StaleQueries<SharedQuery>(
        .after(StatusEvents.changed, .status) { $0.clockSet != nil || $0.concernsAll },
        // A link may be the first after this host slept, during which its clock ran on.
        .after(LinkEvents.changed, .status) { $0.state != .down },
        .after(ProfileEvents.changed, .me),
        .after(LocationEvents.changed, .location) { $0.concernsMe },
        .after(LocationEvents.changed, .mates) { $0.concernsMates },
        .after(MateEvents.changed, .mates)
    ) { [weak self] in try await self?.ask($0) }
    private var nap: (id: Int, waiter: CheckedContinuation<Void, Never>)?
    private var napCount = 0

    init(connection: any NodeConnection, launcher: any NodeStarting, clock: WindowClock) {
        self.connection = connection
        self.launcher = launcher
        self.clock = clock
        time = PanelClock(clock)
        queries.onFault = { [weak self] in self?.onFault($0) }
        queries.onSettled = { [weak self] in self?.peopleChanged() }
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

    /// Tries again now; starts a node if none was found.
    func retry() {
        isStartWanted = true
        endNap()
    }

    private var isStartWanted = false

    /// Expects that the node ends as the user wants: it is started again as if it had never failed.
    func expectEnd() {
        backOff.reset()
    }

    /// Listens before it queries, so that no change is missed; ends only by throwing.
    private func follow() async throws {
        for try await event in connection.events() {
            if event.topic == NodeEvent.opened.topic {
                try await queries.askAll()
                liveSince = clock.now()
                enter(.live)
                onLive()
            } else {
                queries.receive(event)
            }
            onEvent(event)
        }
        throw NodeUnreachable(reason: "The connection to Waggle was lost.")
    }

    /// Starts a node and waits until it answers.
    /// - Returns: whether it does.
    private func start() async -> Bool {
        enter(.starting)
        do throws(LaunchFault) {
            if await answers() { return true }
            try await launcher.start()
            try await waitForAnswer()
            return true
        } catch {
            enter(.notRunning(error.description))
            return false
        }
    }

    /// Waits until the user wants another attempt, or another program started a node.
    private func waitForRetry() async {
        isStartWanted = false
        while !isStartWanted {
            await rest(Self.lookAgain)
            if await answers() { return }
        }
    }

    private func answers() async -> Bool {
        (try? await connection.call(NodeCommands.status)) != nil
    }

    /// Restarts a node that answered before, after a pause that grows with each attempt.
    private func waitAfter(_ error: any Error) async {
        switch stage {
        case .live: enter(.lost(nil))
        case .lost: break
        default: enter(.notRunning(CommandFault(error).shown()))
        }
        if let liveSince, clock.now() - liveSince >= Self.steadyAfter { backOff.reset() }
        liveSince = nil
        await rest(backOff.next())
        guard !(await answers()) else { return }
        // Its end is known; this only releases the process.
        try? launcher.checkAlive()
        do {
            try await launcher.start()
            try await waitForAnswer()
        } catch {
            enter(.lost(error.description))
        }
    }

    /// Waits until a node that was just started answers.
    /// - Throws: ``LaunchFault/ended(_:)``, ``LaunchFault/silent(after:)``.
    private func waitForAnswer() async throws(LaunchFault) {
        let deadline = clock.now() + Self.startTimeMax
        while clock.now() < deadline {
            if await answers() { return }
            try launcher.checkAlive()
            await rest(Self.startPoll)
        }
        throw .silent(after: Self.startTimeMax)
    }

    private func ask(_ query: SharedQuery) async throws {
        switch query {
        case .status:
            let status = try await connection.call(NodeCommands.status)
            time.set(nodeTime: status.nowMs)
            version = status.version.string
        case .me: people.me = try await connection.call(ProfileCommands.show)
        case .location: people.location = try await connection.call(LocationCommands.show)
        case .mates: people.mates = try await connection.call(MateCommands.list).mates
        }
    }

    private func peopleChanged() {
        if stage == .live { onChange() }
    }

    private func enter(_ next: Stage) {
        guard next != stage || next == .live else { return }
        stage = next
        onChange()
    }

    /// Waits for a time; ``retry()`` ends it early.
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
