import Contract
import ControlAPI
import FeaturesAPI
import NodeAPI
import PanelKit
import Synchronization

@testable import Desktop

/// A node for one test: it has one answer for each command, can be switched off, and records its
/// queries.
///
///     node.answer(MateCommands.list, with: MateList(mates: [mate]))
final class FakeNode: NodeConnection {
    private struct State {
        var isRunning = true
        /// The answers by the paths of their commands.
        var answers: [String: JSONValue] = [:]
        var asked: [String] = []
        var posted: [(path: String, arguments: Arguments)] = []
        var streams: [AsyncThrowingStream<NodeEvent, any Error>.Continuation] = []
    }

    private let state = Mutex(State())

    init() {
        answer(NodeCommands.status, with: Self.status)
        answer(ProfileCommands.show, with: Self.me(nickname: "Sora"))
        answer(NearbyCommands.list, with: NearbyList(people: []))
        answer(MateCommands.list, with: MateList(mates: []))
        answer(WalkCommands.list, with: WalkList(requests: []))
        answer(InboxCommands.list, with: InboxList(items: []))
        answer(LocationCommands.show, with: MyLocation(source: .hand, state: .away))
        answer(NearbyCommands.visibility, with: Visibility(level: .mates))
    }

    var isRunning: Bool {
        get { state.withLock(\.isRunning) }
        set {
            let ended = state.withLock { state in
                state.isRunning = newValue
                defer { if !newValue { state.streams = [] } }
                return newValue ? [] : state.streams
            }
            for stream in ended { stream.finish(throwing: NodeUnreachable(reason: "gone")) }
        }
    }

    /// Returns the queries since the last call.
    func drainQueries() -> [String] {
        state.withLock { state in
            defer { state.asked = [] }
            return state.asked
        }
    }

    /// Answers a command with this value from now on.
    func answer<Request, Answer>(_ command: Command<Request, Answer>, with answer: Answer) {
        state.withLock { $0.answers[Self.path(command.declaration)] = JSONValue(encoding: answer) }
    }

    /// Refuses a command from now on.
    func refuse<Request, Answer>(_ command: Command<Request, Answer>) {
        state.withLock { $0.answers[Self.path(command.declaration)] = nil }
    }

    private static func path(_ command: CommandDeclaration) -> String {
        "\(command.noun)/\(command.verb)"
    }

    func emit(_ topic: String) {
        for stream in state.withLock(\.streams) { stream.yield(NodeEvent(topic: topic)) }
    }

    /// Returns the names of the actions that were performed since the last call.
    func drainActions() -> [String] {
        state.withLock { state in
            defer { state.posted = [] }
            return state.posted.map(\.path)
        }
    }

    /// Returns the requests with which an action was performed since the last call. Other actions
    /// stay.
    func drainRequests<Request, Answer>(
        of command: Command<Request, Answer>
    ) throws -> [Request] {
        let path = Self.path(command.declaration)
        let requests = state.withLock { state in
            defer { state.posted.removeAll { $0.path == path } }
            return state.posted.filter { $0.path == path }
        }
        return try requests.map { try $0.arguments.request(as: Request.self) }
    }

    func answer(
        to command: CommandDeclaration, _ arguments: Arguments
    ) async throws -> JSONValue {
        let path = Self.path(command)
        return try state.withLock { state in
            guard state.isRunning else { throw NodeUnreachable(reason: "nobody answers") }
            switch command.kind {
            case .query: state.asked.append(path)
            case .action: state.posted.append((path, arguments))
            }
            guard let answer = state.answers[path] else {
                throw NodeRefusal(code: "notFound", message: "There is no \(path).")
            }
            return answer
        }
    }

    private static var status: NodeStatus {
        NodeStatus(
            version: "1", person: key("a"), device: key("b"), suffix: KeySuffix(key("a")),
            home: "/home",
            startedMs: .min, nowMs: Timestamp(milliseconds: 1_000_000), port: 1,
            discovery: .init(state: .announcing, detail: "on"), clockSkewMs: 0,
            startsDisagree: false, unsettled: nil, audited: nil, notices: [], links: [],
            storage: Storage(
                usedBytes: 0, freeBytes: nil, authorBytesMax: 1, totalBytesMax: 1,
                freeBytesMin: 1, full: []), spaces: [], members: [])
    }

    /// Returns the answer of "me show".
    static func me(nickname: String) -> MyProfile {
        MyProfile(
            nickname: nickname, person: key("a"), device: key("b"), suffix: KeySuffix(key("a")),
            complete: true, keptPrivate: [])
    }

    func events() -> AsyncThrowingStream<NodeEvent, any Error> {
        AsyncThrowingStream { stream in
            let isRunning = state.withLock { state in
                if state.isRunning { state.streams.append(stream) }
                return state.isRunning
            }
            if isRunning {
                stream.yield(.opened)
            } else {
                stream.finish(throwing: NodeUnreachable(reason: "nobody answers"))
            }
        }
    }
}

/// Starts a ``FakeNode``, or fails.
@MainActor
final class FakeLauncher: NodeStarting {
    private let node: FakeNode
    var fault: LaunchFault?
    private(set) var startCount = 0

    init(_ node: FakeNode) {
        self.node = node
    }

    func removeRecoveryWords() -> [String]? { nil }

    func start() async throws(LaunchFault) {
        startCount += 1
        if let fault { throw fault }
        node.isRunning = true
    }

    func checkAlive() throws(LaunchFault) {}
}

/// A clock on which every wait ends at once. It counts the time that the waits would have taken.
@MainActor
final class HastyClock {
    private(set) var now = Duration.zero
    /// A wait of this length or longer does not end.
    var patience = Duration.seconds(1_000_000)

    var windowClock: WindowClock {
        WindowClock(
            now: { self.now },
            after: { time, action in
                guard time < self.patience else { return }
                Task {
                    self.now += time
                    action()
                }
            })
    }
}
