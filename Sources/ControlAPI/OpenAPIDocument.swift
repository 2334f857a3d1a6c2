public import PluginKit

/// The description of the local API in OpenAPI 3.1, generated from the declared commands.
public struct OpenAPIDocument: Sendable {
    /// Where a node serves it.
    public static let route = "/v1/openapi.json"
    /// Where a node serves its event stream.
    public static let eventsRoute = "/v1/events"

    private let declarations: [CommandDeclaration]
    private let version: String

    /// Describes an API.
    /// - Parameter version: the node's.
    public init(_ declarations: [CommandDeclaration], version: String) {
        self.declarations = declarations
        self.version = version
    }

    /// The document.
    public var json: JSONValue {
        var paths: [String: JSONValue] = [:]
        for declaration in declarations {
            let method = declaration.kind == .query ? "get" : "post"
            paths[declaration.route] = [method: operation(declaration)]
        }
        paths[Self.eventsRoute] = ["get": Self.eventStream]
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Waggle's local API", "version": .string(version),
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ],
            "servers": [["url": "http://localhost", "description": "over the node's Unix socket"]],
            "paths": .object(paths),
            "components": ["schemas": ["Error": Self.errorSchema]],
        ]
    }

    private func operation(_ declaration: CommandDeclaration) -> JSONValue {
        var operation: [String: JSONValue] = [
            "operationId": .string("\(declaration.noun)-\(declaration.verb)"),
            "summary": .string(declaration.help),
            "tags": [.string(declaration.noun)],
            "responses": [
                "200": Self.response("Done.", declaration.result.schema),
                "default": Self.response("Why not.", ["$ref": "#/components/schemas/Error"]),
            ],
        ]
        switch declaration.kind {
        case .query:
            operation["parameters"] = .array(declaration.parameters.map(\.queryParameter))
        case .action:
            operation["requestBody"] = [
                "required": .boolean(declaration.parameters.contains(where: \.isRequired)),
                "content": ["application/json": ["schema": declaration.bodySchema]],
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

    private static let eventStream: JSONValue = [
        "operationId": "events",
        "summary": "Server-sent events: which topic changed, from now on.",
        "parameters": [
            [
                "name": "topics", "in": "query", "required": false,
                "description": "Only these topics, separated by commas.",
                "schema": ["type": "string"],
            ]
        ],
        "responses": [
            "200": [
                "description": """
                Events without end: first 'open', then each topic as it changes, \
                and 'lost' where this reader was too slow for some.
                """,
                "content": ["text/event-stream": ["schema": ["type": "string"]]],
            ],
            "default": response("Why not.", ["$ref": "#/components/schemas/Error"]),
        ],
    ]
}

extension CommandDeclaration {
    /// The JSON schema of an action's body.
    fileprivate var bodySchema: JSONValue {
        let properties = parameters.map { ($0.name, $0.schema) }
        let required = parameters.filter(\.isRequired).map { JSONValue.string($0.name) }
        return .record([
            "type": "object",
            "properties": .object(Dictionary(properties) { _, last in last }),
            "required": required.isEmpty ? nil : .array(required),
            "additionalProperties": false,
        ])
    }
}

extension Parameter {
    fileprivate var queryParameter: JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(name), "in": "query", "required": .boolean(isRequired),
            "description": .string(help), "schema": type.schema,
        ]
        if type == .texts { members["explode"] = false }
        return .object(members)
    }

    fileprivate var schema: JSONValue {
        guard case .object(var members) = type.schema else { return type.schema }
        members["description"] = .string(help)
        return .object(members)
    }
}

extension Parameter.Kind {
    /// The JSON schema of a value of this type.
    fileprivate var schema: JSONValue {
        switch self {
        case .text, .path: ["type": "string"]
        case .integer: ["type": "integer"]
        case .number: ["type": "number"]
        case .boolean: ["type": "boolean"]
        case .choice(let words): ["type": "string", "enum": .array(words.map(JSONValue.string))]
        case .texts: ["type": "array", "items": ["type": "string"]]
        }
    }
}

extension Shape {
    /// The JSON schema of a value of this shape.
    var schema: JSONValue {
        switch self {
        case .text: return ["type": "string"]
        case .integer: return ["type": "integer"]
        case .number: return ["type": "number"]
        case .boolean: return ["type": "boolean"]
        case .any: return [:]
        case .list(let element): return ["type": "array", "items": element.schema]
        case .object(let members):
            let names = members.keys.sorted()
            let required = names.filter { !$0.hasSuffix("?") }.map(JSONValue.string)
            let properties = names.map { name in
                (name.hasSuffix("?") ? String(name.dropLast()) : name, members[name]?.schema)
            }
            return .record([
                "type": "object",
                "properties": .record(Dictionary(properties) { first, _ in first }),
                "required": required.isEmpty ? nil : .array(required),
            ])
        }
    }
}
