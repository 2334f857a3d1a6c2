import ControlAPI
import Hummingbird
import NIOCore
import PluginKit
import ServiceLifecycle

/// Answers one request: a command, the event stream, or the description of the API.
struct LocalAPIResponder: HTTPResponder {
    private let service: any CommandService
    private let routes: RouteTable
    private let document: String
    private let clock: any NodeClock
    private let logger: Logger

    init(
        service: any CommandService, version: String, clock: any NodeClock, logger: Logger
    ) {
        self.logger = logger
        self.service = service
        self.clock = clock
        routes = RouteTable(service.declarations)
        document = OpenAPIDocument(service.declarations, version: version).json
            .jsonText(isIndented: true)
    }

    func respond(to request: Request, context: LocalAPIContext) async throws -> Response {
        do {
            switch (request.uri.path, request.method) {
            case (OpenAPIDocument.eventsRoute, .get): return await events(request, context)
            case (OpenAPIDocument.route, .get): return Self.response(.ok, document)
            default: return Self.response(.ok, try await perform(request).jsonText())
            }
        } catch {
            let fault = CommandFault(error)
            if case .failed(let sentence) = fault {
                logger.warning("\(request.uri.path) failed: \(sentence)")
            }
            let status = HTTPResponse.Status(code: fault.httpStatus)
            return Self.response(status, fault.envelope.jsonText())
        }
    }

    private func perform(_ request: Request) async throws -> JSONValue {
        let command = try routes.command(request.uri.path)
        let arguments = try await arguments(of: command, in: request)
        // A command that waits for something must not hold the node's end up.
        return try await cancelWhenGracefulShutdown {
            try await service.perform(command, arguments)
        }
    }

    /// The checked arguments: of a query from the query string, of an action from the body.
    /// A query takes a body too, for clients that find that easier.
    private func arguments(
        of command: CommandDeclaration, in request: Request
    ) async throws -> Arguments {
        switch (request.method, command.kind) {
        case (.get, .query): return try command.arguments(fromQuery: Self.query(of: request))
        case (.post, _):
            return try Arguments(checking: await Self.body(of: request), against: command)
        case (.get, .action):
            throw CommandFault.usage("\(command.route) changes something: use POST")
        default:
            let method = command.kind == .query ? "GET" : "POST"
            throw CommandFault.usage("\(command.route) takes \(method), not \(request.method)")
        }
    }

    private static func query(
        of request: Request
    ) throws(CommandFault) -> [(name: String, text: String)] {
        guard (request.uri.query?.utf8.count ?? 0) <= APILimits.queryBytesMax else {
            throw .usage("the query string is over \(APILimits.queryBytesMax) bytes")
        }
        return request.uri.queryParameters.map { (String($0.key), String($0.value)) }
    }

    private static func body(of request: Request) async throws -> [String: JSONValue] {
        var request = request
        let body: ByteBuffer
        do {
            body = try await request.collectBody(upTo: APILimits.bodyBytesMax)
        } catch is NIOTooManyBytesError {
            throw CommandFault.usage("the body is over \(APILimits.bodyBytesMax) bytes")
        }
        guard body.readableBytes > 0 else { return [:] }
        do {
            guard case .object(let members) = try JSONValue(parsing: body.readableBytesView) else {
                throw CommandFault.usage("the body must be a JSON object, as in {\"id\":\"…\"}")
            }
            return members
        } catch let fault as JSONFault {
            throw CommandFault.usage(fault.sentence)
        }
    }

    private static func response(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }
}

extension LocalAPIResponder {
    /// How long a listener may take to read what is left when the node stops.
    private static let farewell = TimeAmount.seconds(1)

    /// The event stream. The listener is subscribed before the answer begins.
    private func events(_ request: Request, _ context: LocalAPIContext) async -> Response {
        let topics = request.uri.queryParameters["topics"].map { text in
            Set(text.split(separator: ",").map(String.init))
        }
        let stream = EventStream(
            events: await service.events(), topics: topics ?? [], clock: clock)
        let channel = context.channel
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { @concurrent writer in
                try await request.body.consumeWithCancellationOnInboundClose { @concurrent _ in
                    try await stream.write { @concurrent in
                        try await writer.write(ByteBuffer(string: $0))
                    } cut: {
                        channel.eventLoop.scheduleTask(in: Self.farewell) {
                            channel.close(promise: nil)
                        }
                    }
                }
                try await writer.finish(nil)
            })
    }
}

/// What the server knows of a request besides the request: its connection.
struct LocalAPIContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
