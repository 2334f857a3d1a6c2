/// What a command was called with, checked against its declaration.
public struct Arguments: Hashable, Sendable {
    private var values: [String: JSONValue]

    /// Checks a JSON object against the declared parameters.
    /// - Throws: ``CommandFault/usage(_:field:)`` for an unknown, missing or ill-typed one.
    public init(
        checking values: [String: JSONValue], against declaration: CommandDeclaration
    ) throws(CommandFault) {
        for name in values.keys.sorted()
        where !declaration.parameters.contains(where: { $0.name == name }) {
            let known = declaration.parameters.map(\.name).joined(separator: ", ")
            throw .usage(
                "\(declaration.noun) \(declaration.verb) knows no '\(name)'; it takes: "
                    + (known.isEmpty ? "nothing" : known), field: name)
        }
        for parameter in declaration.parameters {
            switch values[parameter.name] {
            case nil, .null:
                guard !parameter.isRequired else {
                    throw .usage(
                        "'\(parameter.name)' is missing: \(parameter.help)",
                        field: parameter.name)
                }
            case .some(let value):
                guard parameter.type.admits(value) else {
                    throw .usage(
                        "'\(parameter.name)' must be \(parameter.type.expectation)",
                        field: parameter.name)
                }
            }
        }
        self.values = values.filter { $0.value != .null }
    }

    /// The value of this name, or nil when it was left out.
    public subscript(_ name: String) -> JSONValue? { values[name] }

    /// The same with one value more, or another; it must be one that the declaration admits.
    public func setting(_ name: String, to value: JSONValue) -> Arguments {
        var arguments = self
        arguments.values[name] = value
        return arguments
    }

    /// Whether a parameter was given.
    public func has(_ name: String) -> Bool { values[name] != nil }

    /// A required text.
    public func text(_ name: String) throws(CommandFault) -> String {
        guard let text = values[name]?.string else { throw .usage("'\(name)' is missing") }
        return text
    }

    /// A required number.
    public func number(_ name: String) throws(CommandFault) -> Double {
        guard let number = values[name]?.number else { throw .usage("'\(name)' is missing") }
        return number
    }

    /// Texts, or nil when they were left out.
    public func texts(_ name: String) -> [String]? { values[name]?.array?.compactMap(\.string) }
}

extension Parameter.Kind {
    /// Whether a JSON value is of this type.
    func admits(_ value: JSONValue) -> Bool {
        switch self {
        case .text: value.string != nil
        case .path: value.string?.hasPrefix("/") ?? false
        case .integer: value.integer != nil
        case .number: value.number != nil
        case .boolean: value.boolean != nil
        case .choice(let words): value.string.map(words.contains) ?? false
        case .texts: value.array?.allSatisfy { $0.string != nil } ?? false
        }
    }

    /// What to say is expected.
    var expectation: String {
        switch self {
        case .text: "text"
        case .path: "a file's whole path, from /"
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "true or false"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .texts: "a list of texts"
        }
    }
}
