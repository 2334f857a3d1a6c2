import Contract
import ControlAPI
import PanelKit
import Synchronization

@testable import Desktop

/// A node for one test: it answers from JSON texts, can be switched off, and records its queries.
final class FakeNode: NodeConnection {
    private struct State {
        var isRunning = true
        var answers: [String: String] = [
            "status/show": """
            {"version":"1","person":"\(key("a"))","device":"\(key("b"))","suffix":"aaaa",
             "home":"/home","startedMs":0,"nowMs":1000000,"port":1,
             "discovery":{"state":"on","detail":"on"},"clockSkewMs":0,"startsDisagree":false,
             "notices":[],"links":[],"spaces":[],"members":[],
             "storage":{"usedBytes":0,"authorBytesMax":1,"totalBytesMax":1,"freeBytesMin":1,
              "full":[]}}
            """,
            "me/show": FakeNode.me(nickname: "Sora"),
            "nearby/list": #"{"people":[]}"#, "mates/list": #"{"mates":[]}"#,
            "walk/list": #"{"requests":[]}"#, "inbox/list": #"{"items":[]}"#,
            "location/show": #"{"source":"hand","state":"away"}"#,
            "visibility/show": #"{"level":"mates"}"#,
        ]
        var asked: [String] = []
        var posted: [(path: String, request: JSONValue)] = []
        var streams: [AsyncThrowingStream<NodeEvent, any Error>.Continuation] = []
    }

    private let state = Mutex(State())

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

    func set(_ path: String, _ json: String?) {
        state.withLock { $0.answers[path] = json }
    }

    func emit(_ topic: String) {
        for stream in state.withLock(\.streams) { stream.yield(NodeEvent(topic: topic)) }
    }

    /// Returns the names of the actions that were performed since the last call.
    func drainActions() -> [String] { drainRequests().map(\.path) }

    /// Returns the actions that were performed since the last call, with their requests.
    func drainRequests() -> [(path: String, request: JSONValue)] {
        state.withLock { state in
            defer { state.posted = [] }
            return state.posted
        }
    }

    func answer(
        to command: CommandDeclaration, _ arguments: Arguments
    ) async throws -> JSONValue {
        let path = "\(command.noun)/\(command.verb)"
        let json = try state.withLock { state in
            guard state.isRunning else { throw NodeUnreachable(reason: "nobody answers") }
            switch command.kind {
            case .query: state.asked.append(path)
            case .action: state.posted.append((path, arguments.json))
            }
            guard let json = state.answers[path] else {
                throw NodeRefusal(code: "notFound", message: "There is no \(path).")
            }
            return json
        }
        return try JSONValue(parsing: json.utf8)
    }

    /// Returns the answer of "me show".
    static func me(nickname: String) -> String {
        """
        {"person":"\(key("a"))","device":"\(key("b"))","suffix":"aaaa","complete":true,
         "nickname":"\(nickname)","keptPrivate":[]}
        """
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
