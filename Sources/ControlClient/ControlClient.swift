import AsyncHTTPClient
public import ControlAPI
import Foundation
import NIOCore
import NIOHTTP1
public import Contract

/// A client of one node's local API, over its Unix socket.
///
/// Shut it down when it is not needed any more.
public final class ControlClient: Sendable {
    private let client: HTTPClient
    private let origin: String
    private let socketPath: String
    private let timeout: Duration

    /// Creates a client; it connects with its first request.
    /// - Parameter timeout: the time limit for an answer, from the request to its last byte.
    public init(socketPath: String, timeout: Duration = .seconds(30)) {
        self.socketPath = socketPath
        self.timeout = timeout
        origin = "http+unix://\(percentEncoded(socketPath))"
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        // If no process listens on a local socket now, none will soon: report it at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Ends every connection; the client cannot be used afterwards.
    public func shutdown() async throws {
        try await client.shutdown()
    }

    /// Performs a command. The answer is read off the caller's actor.
    /// - Parameter id: the id of an action that may be sent again with the same id.
    /// - Throws: the ``CommandFault`` that the node answered with, ``CommandFault/notRunning(_:)``
    ///   if no node answers, ``CommandFault/timedOut(_:)`` after the timeout; for an action with an
    ///   id also ``CommandFault/notRunning(_:)`` then, since it is to be sent again.
    @concurrent
    public func perform(
        _ declaration: CommandDeclaration, _ arguments: Arguments, id: ActionID? = nil
    ) async throws(CommandFault) -> JSONValue {
        let path = declaration.route
        let answer: Data
        switch declaration.kind {
        case .query:
            let query = declaration.query(for: arguments)
            answer = try await send(.GET, query.isEmpty ? path : path + "?" + query)
        case .action:
            let members = declaration.parameters.map { ($0.name, arguments[$0.name]) }
            let body = JSONValue.record(Dictionary(members) { _, last in last })
            answer = try await send(.POST, path, body: Data(body.jsonText().utf8), id: id)
        }
        do {
            return try JSONValue(parsing: answer)
        } catch {
            throw .failed("Waggle's answer cannot be read: \(error.sentence)")
        }
    }
}

extension ControlClient {
    /// Sends one request and returns the body of a successful answer.
    private func send(
        _ method: Method, _ target: String, body: Data? = nil, id: ActionID? = nil
    ) async throws(CommandFault) -> Data {
        do {
            let deadline = NIODeadline.now() + TimeAmount(timeout)
            let response = try await client.execute(
                request(method, target, body: body, id: id), deadline: deadline)
            let answer = try await response.body.collect(upTo: APILimits.answerBytesMax)
            let bytes = Data(answer.readableBytesView)
            guard response.status == .ok else { throw Self.fault(answering: bytes) }
            return bytes
        } catch {
            throw fault(error, isRepeatable: id != nil)
        }
    }

    private func request(
        _ method: Method, _ target: String, body: Data?, id: ActionID? = nil
    ) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: origin + target)
        request.method = method == .GET ? .GET : .POST
        request.headers.add(name: "Accept", value: "application/json, text/event-stream")
        if let id { request.headers.add(name: ActionID.header, value: id.string) }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        return request
    }

    private enum Method { case GET, POST }

    private static func fault(answering body: Data) -> CommandFault {
        guard let value = try? JSONValue(parsing: body), let fault = CommandFault(envelope: value)
        else { return .failed("Waggle reported an error without a reason") }
        return fault
    }

    private static let stopped = CommandFault.notRunning(
        "Waggle stopped before it answered: start it with 'waggle node'")

    private static let timeouts: [HTTPClientError] = [
        .deadlineExceeded, .readTimeout, .connectTimeout,
    ]

    /// - Parameter isRepeatable: whether the request may be sent again without another effect.
    func fault(_ error: any Error, isRepeatable: Bool = false) -> CommandFault {
        switch error {
        case let error as HTTPClientError where error == .remoteConnectionClosed: Self.stopped
        // A kept connection ends with a channel error if the node ends at that moment.
        case is ChannelError: Self.stopped
        case let error as HTTPClientError where Self.timeouts.contains(error):
            isRepeatable
                ? .notRunning("Waggle does not answer: it may be busy, or has stopped")
                : .timedOut(
                    "Waggle did not answer within \(timeout.formatted): it may be busy, "
                        + "so try again")
        case let error as IOError where error.errnoCode == EACCES || error.errnoCode == EPERM:
            .failed("\(socketPath) belongs to another user: only that user may use it")
        case is IOError:
            .notRunning(
                "Waggle is not running (nothing answers on \(socketPath)): start it with "
                    + "'waggle node'")
        default:
            CommandFault(error)
        }
    }
}

extension ControlClient: NodeConnection {
    /// Performs a command, as ``NodeConnection`` requires.
    public func answer(
        to command: CommandDeclaration, _ arguments: Arguments, id: ActionID?
    ) async throws -> JSONValue {
        try await refusing { () throws(CommandFault) in
            try await perform(command, arguments, id: id)
        }
    }

    /// Returns the changes from now on, of all topics.
    public func events() -> AsyncThrowingStream<NodeEvent, any Error> { events(topics: []) }

    /// Returns the changes from now on; an empty list of topics means all. The stream begins with
    /// ``NodeEvent/opened``.
    ///
    /// A reader that is more than ``APILimits/eventsWaitingMax`` events behind loses the oldest and
    /// receives ``NodeEvent/lost(count:)``. The stream throws ``NodeUnreachable`` when the node is
    /// or becomes unreachable; it ends only by cancellation.
    public func events(topics: [String]) -> AsyncThrowingStream<NodeEvent, any Error> {
        let items = topics.map { "topics=" + percentEncoded($0) }.joined(separator: "&")
        let query = topics.isEmpty ? "" : "?" + items
        let request = request(.GET, OpenAPIDocument.eventsRoute + query, body: nil)
        let limit = APILimits.eventsWaitingMax
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(limit)) { continuation in
            let reading = Task {
                do {
                    try await read(request, into: continuation)
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in reading.cancel() }
        }
    }

    private func read(
        _ request: HTTPClientRequest,
        into continuation: AsyncThrowingStream<NodeEvent, any Error>.Continuation
    ) async throws {
        let body = try await refusing { () throws(CommandFault) in try await open(request) }
        var parser = ServerSentEventParser()
        do {
            for try await bytes in body {
                for event in try parser.receive(bytes.readableBytesView) {
                    guard case .dropped = continuation.yield(event) else { continue }
                    continuation.yield(.lost(count: 1))
                }
            }
        } catch let fault as ServerSentEventParser.Fault {
            throw NodeUnreachable(reason: fault.sentence)
        } catch {
            throw NodeUnreachable(
                reason: "the connection to Waggle was lost: start it with 'waggle node'")
        }
        throw NodeUnreachable(reason: "Waggle has stopped: start it with 'waggle node'")
    }

    private func open(_ request: HTTPClientRequest) async throws(CommandFault)
        -> HTTPClientResponse.Body
    {
        do {
            let response = try await client.execute(request, deadline: .distantFuture)
            guard response.status == .ok else {
                let body = try await response.body.collect(upTo: APILimits.answerBytesMax)
                throw Self.fault(answering: Data(body.readableBytesView))
            }
            return response.body
        } catch {
            throw fault(error)
        }
    }

    /// Converts a command's fault to the errors that a user interface distinguishes.
    private func refusing<Value>(
        _ operation: () async throws(CommandFault) -> Value
    ) async throws -> Value {
        do {
            return try await operation()
        } catch {
            switch error {
            case .notRunning(let reason): throw NodeUnreachable(reason: reason)
            case .usage(let message, let field):
                throw NodeRefusal(code: error.code, message: message, field: field)
            default: throw NodeRefusal(code: error.code, message: error.reason)
            }
        }
    }
}

extension Duration {
    /// The seconds with their unit, as in "30 s" and "0.2 s".
    fileprivate var formatted: Sentence {
        components.attoseconds == 0 ? "\(components.seconds) s" : "\(self / .seconds(1)) s"
    }
}
