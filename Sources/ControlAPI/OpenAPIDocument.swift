public import Contract

/// The description of the local API in OpenAPI 3.1, generated from the declared commands.
public struct OpenAPIDocument: Sendable {
    /// The path under which a node serves it.
    public static let route = "/v1/openapi.json"
    /// The path under which a node serves its event stream.
    public static let eventsRoute = "/v1/events"

    private let declarations: [CommandDeclaration]
    private let events: [EventDeclaration]
    private let version: String

    /// Describes an API.
    /// - Parameters:
    ///   - declarations: the commands.
    ///   - events: the events that the event stream may contain.
    ///   - version: the node's version.
    public init(
        _ declarations: [CommandDeclaration], events: [EventDeclaration], version: String
    ) {
        self.declarations = declarations
        self.events = events
        self.version = version
    }

    /// The document as JSON.
    public var json: JSONValue {
        var paths: [String: JSONValue] = [:]
        for declaration in declarations {
            let method = declaration.kind == .query ? "get" : "post"
            paths[declaration.route] = [method: operation(declaration)]
        }
        paths[Self.eventsRoute] = ["get": eventOperation]
        paths[Self.route] = ["get": Self.documentOperation]
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Waggle's local API", "version": .string(version),
                "description": .string(Self.description),
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ],
            "servers": [["url": "http://localhost", "description": "over Waggle's Unix socket"]],
            "paths": .object(paths),
            "components": ["schemas": .object(schemas)],
        ]
    }

    /// The schemas that paths refer to: that of faults, and one for the body of each event.
    private var schemas: [String: JSONValue] {
        var schemas = ["Error": Self.errorSchema]
        for event in events { schemas[Self.name(of: event)] = Self.schema(of: event) }
        return schemas
    }

    private static func name(of event: EventDeclaration) -> String { "Event-\(event.topic)" }

    /// Returns the schema of an event's body. A later version may add members.
    private static func schema(of event: EventDeclaration) -> JSONValue {
        guard case .object(var members) = event.body.json else { return event.body.json }
        members["description"] = .string(event.help)
        members["additionalProperties"] = true
        return .object(members)
    }

    private func operation(_ declaration: CommandDeclaration) -> JSONValue {
        var operation: [String: JSONValue] = [
            "operationId": .string("\(declaration.noun)-\(declaration.verb)"),
            "summary": .string(declaration.help),
            "tags": [.string(declaration.noun)],
            "responses": .object(
                Self.faults.merging(["200": Self.response("Done.", declaration.result.json)]) {
                    $1
                }),
        ]
        switch declaration.kind {
        case .query:
            operation["parameters"] = .array(declaration.parameters.map(\.queryParameter))
        case .action:
            operation["requestBody"] = [
                "required": .boolean(
                    declaration.memberCountMin > 0
                        || declaration.parameters.contains(where: \.isRequired)),
                "content": ["application/json": ["schema": declaration.body]],
            ]
        }
        return .object(operation)
    }

    private static func response(_ description: String, _ schema: JSONValue) -> JSONValue {
        [
            "description": .string(description),
            "content": ["application/json": ["schema": schema]],
        ]
    }

    private static let errorSchema: JSONValue = [
        "type": "object",
        "required": ["error"],
        "properties": [
            "error": [
                "type": "object",
                "required": ["code", "message"],
                "properties": [
                    "code": ["type": "string", "enum": .array(codes.map(JSONValue.string))],
                    "message": [
                        "type": "string", "description": "A sentence that says what to do.",
                    ],
                    "template": [
                        "type": "string",
                        "description": "The message with %1 to %9 in place of its values.",
                    ],
                    "arguments": [
                        "type": "array", "maxItems": 9,
                        "description":
                            "The values: texts, and objects with a template of their own.",
                    ],
                    "singular": [
                        "type": "object", "description": "The wording for a count of one.",
                    ],
                    "field": [
                        "type": "string", "description": "The parameter that is to blame.",
                    ],
                ],
            ]
        ],
    ]

    private static let codes = [
        "failed", "usage", "notRunning", "notFound", "refused", "timedOut", "conflict",
    ]

    /// The descriptions of every status of a refusal, with its cause.
    private static let faults: [String: JSONValue] = [
        "400": "The request breaks the command's contract.",
        "403": "A rule forbids it.", "404": "There is no such thing.",
        "405": "The path takes another method.", "409": "It collides with the present state.",
        "413": "The body is too long.", "414": "The query string is too long.",
        "415": "The body is not declared as JSON.", "500": "It failed.",
        "503": "Waggle is stopping.", "504": "It took too long.",
    ].mapValues { response($0, ["$ref": "#/components/schemas/Error"]) }

    /// The header with the id of an action. It is described here and not as a parameter of each
    /// action, because it is the transport's.
    private static let description =
        "Each POST may have the header \(ActionID.header) with an id of the client's choice, "
        + "\(ActionID.pattern). One that is sent again with the same id is not performed again; it "
        + "gets the same answer. The id of another request is a conflict. All texts of Waggle "
        + "are in English. A member such as 'adviceSentence' has the template and the arguments "
        + "of the sentence 'advice', for programs that show it in another language."

    /// The parameters of the event stream.
    public static let eventStream = CommandDeclaration(
        "events", "", .query, help: "Server-sent events: which topic changed, from now on.",
        parameters: [.optional("topics", .list(.text), "Only this topic; repeat it for more.")],
        result: .text)

    /// The event stream. OpenAPI 3.1 cannot describe the elements of a stream, so `x-events` has
    /// the schema of each event's body, by topic.
    private var eventOperation: JSONValue {
        let stream = Self.eventStream
        let bodies = events.map { event -> (String, JSONValue) in
            (event.topic, ["$ref": .string("#/components/schemas/\(Self.name(of: event))")])
        }
        return [
            "operationId": "events", "summary": .string(stream.help),
            "parameters": .array(stream.parameters.map(\.queryParameter)),
            "responses": .object(
                Self.faults.merging([
                    "200": [
                        "description": .string(streamDescription),
                        "content": ["text/event-stream": ["schema": ["type": "string"]]],
                    ]
                ]) { $1 }),
            "x-events": .object(Dictionary(bodies) { first, _ in first }),
        ]
    }

    private var streamDescription: String {
        let lines = events.map { "\n- \($0.topic): \($0.help)" }
        return "Events without end: first 'open', then each topic as it changes. The data of an "
            + "event is a JSON object that says what changed; one without members says that "
            + "anything under the topic may have." + lines.joined()
    }

    private static let documentOperation: JSONValue = [
        "operationId": "openapi", "summary": "This document.",
        "responses": .object(
            faults.merging(["200": response("The document.", ["type": "object"])]) { $1 }),
    ]
}

extension Parameter {
    /// The help, with the unit of a moment, which the command line reads in words instead.
    fileprivate var description: String {
        schema == Timestamp.schema ? help + " In milliseconds since 1970." : help
    }

    fileprivate var queryParameter: JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(name), "in": "query", "required": .boolean(isRequired),
            "description": .string(description), "schema": schema.json,
        ]
        if isList { members["explode"] = true }
        return .object(members)
    }
}

extension CommandDeclaration {
    /// The JSON schema of an action's body, with the help of each parameter.
    fileprivate var body: JSONValue {
        guard case .object(var members) = request.json,
            case .object(var properties)? = members["properties"]
        else { return request.json }
        for parameter in parameters {
            guard case .object(var property)? = properties[parameter.name] else { continue }
            property["description"] = .string(parameter.description)
            properties[parameter.name] = .object(property)
        }
        members["properties"] = .object(properties)
        return .object(members)
    }
}
