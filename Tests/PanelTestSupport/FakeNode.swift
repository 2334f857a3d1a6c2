public import Contract
public import ControlAPI
public import FeaturesAPI
import NodeAPI
import Synchronization

/// A node for one test: it has one answer for each command, can be switched off, and records its
/// queries.
///
///     node.answer(MateCommands.list, with: MateList(mates: [mate]))
public final class FakeNode: NodeConnection {
    private struct State {
        var isRunning = true
        /// The answers by the paths of their commands.
        var answers: [String: JSONValue] = [:]
        var asked: [String] = []
        var posted: [(path: String, arguments: Arguments)] = []
        var ids: [ActionID?] = []
        /// The number of actions that are performed next without an answer.
        var lostAnswersCount = 0
        var streams: [AsyncThrowingStream<NodeEvent, any Error>.Continuation] = []
    }

    private let state = Mutex(State())

    /// A node that runs, with one answer for each query of the window's own pages.
    public init() {
        answer(NodeCommands.status, with: Self.status)
        answer(ProfileCommands.show, with: Self.me(nickname: "Sora"))
        answer(NearbyCommands.list, with: NearbyList(people: []))
        answer(MateCommands.list, with: MateList(mates: []))
        answer(WalkCommands.list, with: WalkList(requests: []))
        answer(InboxCommands.list, with: InboxList(items: []))
        answer(LocationCommands.show, with: MyLocation(source: .hand, state: .away))
        answer(NearbyCommands.visibility, with: Visibility(level: .mates))
    }

    /// Whether it answers. Event streams end when it no longer does.
    public var isRunning: Bool {
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
    public func drainQueries() -> [String] {
        state.withLock { state in
            defer { state.asked = [] }
            return state.asked
        }
    }

    /// Answers a command with this value from now on.
    public func answer<Request, Answer>(_ command: Command<Request, Answer>, with answer: Answer) {
        state.withLock { $0.answers[Self.path(command.declaration)] = JSONValue(encoding: answer) }
    }

    /// Refuses a command from now on.
    public func refuse<Request, Answer>(_ command: Command<Request, Answer>) {
        state.withLock { $0.answers[Self.path(command.declaration)] = nil }
    }

    private static func path(_ command: CommandDeclaration) -> String {
        "\(command.noun)/\(command.verb)"
    }

    /// Performs the next action without an answer, and stops.
    public func loseNextAnswer() { state.withLock { $0.lostAnswersCount += 1 } }

    /// The number of actions since the ids were last drained.
    public var idCount: Int { state.withLock { $0.ids.count } }

    /// Returns the ids of the actions since the last call.
    public func drainIDs() -> [ActionID?] {
        state.withLock { state in
            defer { state.ids = [] }
            return state.ids
        }
    }

    /// Sends an event without a body to everyone who listens.
    public func emit(_ topic: String) {
        for stream in state.withLock(\.streams) { stream.yield(NodeEvent(topic: topic)) }
    }

    /// Returns the names of the actions that were performed since the last call.
    public func drainActions() -> [String] {
        state.withLock { state in
            defer { state.posted = [] }
            return state.posted.map(\.path)
        }
    }

    /// Returns the requests with which an action was performed since the last call. Other actions
    /// stay.
    public func drainRequests<Request, Answer>(
        of command: Command<Request, Answer>
    ) throws -> [Request] {
        let path = Self.path(command.declaration)
        let requests = state.withLock { state in
            defer { state.posted.removeAll { $0.path == path } }
            return state.posted.filter { $0.path == path }
        }
        return try requests.map { try $0.arguments.request(as: Request.self) }
    }

    /// Returns the answer that was set for a command, and records its path.
    public func answer(
        to command: CommandDeclaration, _ arguments: Arguments, id: ActionID?
    ) async throws -> JSONValue {
        let path = Self.path(command)
        let answer: JSONValue? = try state.withLock { state in
            guard state.isRunning else { throw NodeUnreachable(reason: "nobody answers") }
            switch command.kind {
            case .query: state.asked.append(path)
            case .action:
                state.posted.append((path, arguments))
                state.ids.append(id)
                guard state.lostAnswersCount == 0 else {
                    state.lostAnswersCount -= 1
                    return nil
                }
            }
            guard let answer = state.answers[path] else {
                throw NodeRefusal(code: "notFound", message: "There is no \(path).")
            }
            return answer
        }
        guard let answer else {
            isRunning = false
            throw NodeUnreachable(reason: "gone")
        }
        return answer
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
                freeBytesMin: 1,
                photos: .init(
                    files: 0, bytes: 0, evictableBytes: 0, evictableBytesMax: 1, arrivingBytes: 0,
                    arrivingBytesMax: 1),
                full: []), spaces: [], members: [], neighbourhoods: [], overAllowance: [])
    }

    /// Returns the answer of "me show".
    public static func me(nickname: String) -> MyProfile {
        MyProfile(
            nickname: nickname, person: key("a"), device: key("b"), suffix: KeySuffix(key("a")),
            complete: true, keptPrivate: [])
    }

    /// Opens a stream of events, which begins with `open`.
    public func events() -> AsyncThrowingStream<NodeEvent, any Error> {
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
