/// The parameters that a command was called with, checked against its declaration.
public struct Arguments: Hashable, Sendable {
    private var values: [String: JSONValue]

    /// Checks a JSON object against the declared parameters.
    /// - Throws: ``CommandFault/usage(_:field:)`` for the first parameter that is unknown, missing,
    ///   null or outside its limits.
    public init(
        checking values: [String: JSONValue], against declaration: CommandDeclaration
    ) throws(CommandFault) {
        for name in values.keys.sorted()
        where !declaration.parameters.contains(where: { $0.name == name }) {
            let known = declaration.parameters.map(\.name).joined(separator: ", ")
            let taken: Sentence = known.isEmpty ? "nothing" : Sentence(verbatim: known)
            throw .usage(
                "'\(declaration.noun) \(declaration.verb)' has no parameter '\(name)'; "
                    + "it takes: \(taken)", field: name)
        }
        for parameter in declaration.parameters {
            guard let value = values[parameter.name] else {
                guard !parameter.isRequired else {
                    throw .usage(
                        "'\(parameter.name)' is missing: \(Sentence(declared: parameter.help))",
                        field: parameter.name)
                }
                continue
            }
            try parameter.schema.check(value, field: parameter.name)
        }
        guard values.count >= declaration.memberCountMin else {
            let names = declaration.parameters.map(\.name).joined(separator: ", ")
            throw .usage(
                "'\(declaration.noun) \(declaration.verb)' needs at least "
                    + "\(declaration.memberCountMin) of: \(names)")
        }
        self.values = values
    }

    /// Creates the arguments of a typed request.
    public init(_ request: some CommandRequest) {
        guard case .object(let values) = JSONValue(encoding: request) else {
            preconditionFailure("a request is an object")
        }
        self.values = values
    }

    /// The value of this name, or nil if it was left out.
    public subscript(_ name: String) -> JSONValue? { values[name] }

    /// Returns the arguments with one value added or replaced; the declaration must admit it.
    public func setting(_ name: String, to value: JSONValue) -> Arguments {
        var arguments = self
        arguments.values[name] = value
        return arguments
    }

    /// The arguments as a JSON object.
    public var json: JSONValue { .object(values) }

    /// Returns the texts of a list, or nil if it was left out.
    public func texts(_ name: String) -> [String]? { values[name]?.array?.compactMap(\.string) }

    /// Returns the typed request.
    /// - Throws: ``CommandFault/usage(_:field:)`` if the arguments are not those of this type.
    public func request<Request: CommandRequest>(
        as type: Request.Type
    ) throws(CommandFault) -> Request {
        do {
            return try json.decoded(as: type)
        } catch let fault as CommandFault {
            throw fault
        } catch let fault as JSONValue.Mismatch {
            throw .usage("'\(fault.path)' \(fault.problem)", field: fault.field)
        } catch {
            throw .usage("the request cannot be read: \(error)")
        }
    }
}
