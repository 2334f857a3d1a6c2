import ControlAPI
import Foundation
import Synchronization

@testable import Desktop

/// A node for one test: answers from JSON texts, can be switched off, and says what it was asked.
final class FakeNode: NodeConnection {
    private struct State {
        var isRunning = true
        var answers: [String: String] = [
            "status/show": #"{"nowMs":1000000}"#,
            "me/show": #"{"person":"p","suffix":"s","complete":true,"nickname":"Sora"}"#,
            "nearby/list": #"{"people":[]}"#, "mates/list": #"{"mates":[]}"#,
            "walk/list": #"{"requests":[]}"#, "inbox/list": #"{"items":[]}"#,
            "location/show": "{}", "visibility/show": #"{"level":"mates"}"#,
        ]
        var asked: [String] = []
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

    /// What was asked since this was read last.
    func takeAsked() -> [String] {
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

    func get<Answer: Decodable & Sendable>(
        _ path: String, query: [String: String], as type: Answer.Type
    ) async throws -> Answer {
        try answer(path)
    }

    func post(_ path: String, _ body: some Encodable & Sendable) async throws {}

    func post<Answer: Decodable & Sendable>(
        _ path: String, _ body: some Encodable & Sendable, as type: Answer.Type
    ) async throws -> Answer {
        try answer(path)
    }

    private func answer<Answer: Decodable>(_ path: String) throws -> Answer {
        let json = try state.withLock { state in
            guard state.isRunning else { throw NodeUnreachable(reason: "nobody answers") }
            state.asked.append(path)
            guard let json = state.answers[path] else {
                throw NodeRefusal(code: "notFound", message: "There is no \(path).")
            }
            return json
        }
        return try JSONDecoder().decode(Answer.self, from: Data(json.utf8))
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

/// Starts a ``FakeNode``, or cannot.
@MainActor
final class FakeLauncher: NodeStarting {
    private let node: FakeNode
    var fault: LaunchFault?
    private(set) var startCount = 0

    init(_ node: FakeNode) {
        self.node = node
    }

    func takeRecoveryWords() -> [String]? { nil }

    func start() async throws(LaunchFault) {
        startCount += 1
        if let fault { throw fault }
        node.isRunning = true
    }

    func checkAlive() throws(LaunchFault) {}
}

/// A clock on which every wait is over at once, and that knows how long it would have taken.
@MainActor
final class HastyClock {
    private(set) var now = Duration.zero
    /// A wait of this length or longer is not ended by the clock.
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
