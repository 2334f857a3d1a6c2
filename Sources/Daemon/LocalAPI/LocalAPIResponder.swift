import ControlAPI
import Hummingbird
import NIOCore
import Node
import PluginKit
import ServiceLifecycle

/// Answers one request: a command, the event stream, or the description of the API.
struct LocalAPIResponder: HTTPResponder {
    private let service: any CommandService
    private let routes: RouteTable
    private let version: String
    private let clock: any NodeClock
    private let logger: Logger
    private let answers: RememberedAnswers
    private let slots = StreamSlots(limit: APILimits.eventStreamsMax)

    init(
        service: any CommandService, version: String, clock: any NodeClock, logger: Logger
    ) {
        self.logger = logger
        self.service = service
        self.clock = clock
        answers = RememberedAnswers(clock: clock)
        routes = RouteTable(service.declarations)
        self.version = version
    }

    /// The description of the API. It is made on request: making it would be a tenth of a start.
    private var document: String {
        OpenAPIDocument(
            service.declarations, events: service.eventDeclarations, version: version
        ).json.jsonText(isIndented: true)
    }

    func respond(to request: Request, context: LocalAPIContext) async throws -> Response {
        do {
            switch request.uri.path {
            case OpenAPIDocument.eventsRoute:
                try Self.require(.get, of: request)
                return try await events(request, context)
            case OpenAPIDocument.route:
                try Self.require(.get, of: request)
                return Self.response(.ok, document)
            default: return Self.response(.ok, try await perform(request).jsonText())
            }
        } catch let fault as HTTPFault {
            return Self.response(fault)
        } catch let fault as BodyReader.Incomplete {
            Self.close(context.channel)
            return Self.response(.badRequest, CommandFault.usage(fault.sentence))
        } catch is CancellationError {
            return Self.response(
                .serviceUnavailable,
                .notRunning(
                    "Waggle stopped meanwhile, so this may or may not be done: start it with "
                        + "'waggle node' and check"))
        } catch {
            let fault = CommandFault(error)
            if case .failed(let sentence) = fault {
                logger.warning("\(request.uri.path) failed: \(sentence.english)")
            }
            return Self.response(HTTPResponse.Status(code: fault.httpStatus), fault)
        }
    }

    private func perform(_ request: Request) async throws -> JSONValue {
        let command = try routes.command(request.uri.path)
        // Neither an unfinished body nor a waiting command may delay the node's end.
        return try await cancelWhenGracefulShutdown {
            let arguments = try await arguments(of: command, in: request)
            guard command.kind == .action, let id = try Self.id(of: request) else {
                return try await service.perform(command, arguments)
            }
            return try await answers.answer(id, command, arguments) { [service] in
                try await PerformedAction.$current.withValue(PerformedAction(id)) {
                    try await service.perform(command, arguments)
                }
            }
        }
    }

    /// Returns the id of an acting request, or nil if it has none.
    private static func id(of request: Request) throws(CommandFault) -> ActionID? {
        let header = request.headers.first { $0.name.canonicalName == ActionID.header.lowercased() }
        guard let text = header?.value else { return nil }
        guard let id = ActionID(text) else {
            throw .usage(
                "\(ActionID.header) must have \(ActionID.lengths.lowerBound) to "
                    + "\(ActionID.lengths.upperBound) letters, digits, hyphens or underscores")
        }
        return id
    }

    /// - Throws: ``HTTPFault`` with status 405 if the request has another method.
    private static func require(
        _ method: HTTPRequest.Method, of request: Request
    ) throws(HTTPFault) {
        guard request.method == method else {
            throw .methodNotAllowed(request.method, path: request.uri.path, allowed: [method])
        }
    }

    /// Returns the checked arguments: from the query string for a query, from the body for an
    /// action.
    private func arguments(
        of command: CommandDeclaration, in request: Request
    ) async throws -> Arguments {
        switch command.kind {
        case .query:
            try Self.require(.get, of: request)
            return try command.arguments(fromQuery: Self.query(of: request))
        case .action:
            try Self.require(.post, of: request)
            let members = try await BodyReader(clock: clock).members(of: request)
            return try Arguments(checking: members, against: command)
        }
    }

    private static func query(
        of request: Request
    ) throws(HTTPFault) -> [(name: String, text: String)] {
        guard (request.uri.query?.utf8.count ?? 0) <= APILimits.queryBytesMax else {
            throw .queryTooLong
        }
        return request.uri.queryParameters.map { (String($0.key), String($0.value)) }
    }

    private static func response(_ status: HTTPResponse.Status, _ fault: CommandFault) -> Response {
        response(status, fault.envelope.jsonText())
    }

    private static func response(_ fault: HTTPFault) -> Response {
        var response = response(fault.status, fault.fault)
        if !fault.allowed.isEmpty {
            response.headers[.allow] = fault.allowed.map(\.rawValue).joined(separator: ", ")
        }
        return response
    }

    private static func response(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }
}

extension LocalAPIResponder {
    /// The time in which a client must read the rest before its connection is closed.
    private static let farewell = TimeAmount.seconds(1)

    private static func close(_ channel: any Channel) {
        channel.eventLoop.scheduleTask(in: farewell) { channel.close(promise: nil) }
    }

    /// Answers with the event stream. The listener is subscribed before the answer begins.
    private func events(
        _ request: Request, _ context: LocalAPIContext
    ) async throws -> Response {
        let topics = try OpenAPIDocument.eventStream
            .arguments(fromQuery: Self.query(of: request)).texts("topics")
        guard let slot = slots.reserve() else {
            return Self.response(
                .serviceUnavailable,
                .failed("\(slots.limit) programs already listen to events: end one of them"))
        }
        let stream = EventStream(
            events: await service.events(), topics: Set(topics ?? []), clock: clock)
        let channel = context.channel
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { @concurrent writer in
                try await request.body.consumeWithCancellationOnInboundClose { @concurrent _ in
                    try await stream.write { @concurrent in
                        try await writer.write(ByteBuffer(string: $0))
                    } cut: {
                        Self.close(channel)
                    }
                }
                withExtendedLifetime(slot) {}
                try await writer.finish(nil)
            })
    }
}

/// The server's context of a request: its connection.
struct LocalAPIContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
