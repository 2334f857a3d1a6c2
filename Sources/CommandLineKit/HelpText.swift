public import Contract

/// Help, generated from the declarations.
public struct HelpText: Sendable {
    private let table: CommandTable

    /// Creates help for the commands of a table.
    public init(_ table: CommandTable) {
        self.table = table
    }

    /// Returns help on a command, on a noun's commands, on a topic, or on everything if there are
    /// no words.
    /// - Throws: ``CommandFault/notFound(_:)`` if there is no such command or topic.
    public func text(on words: [String]) throws(CommandFault) -> String {
        guard let noun = words.first else { return overview }
        let entries = table.entries(of: noun)
        if words.count == 2, let entry = table.entry(noun, words[1]) { return full(entry) }
        let topics = HelpTopic.all(of: table)
        if words.count == 1, let topic = topics.first(where: { $0.name == noun }) {
            return topic.full
        }
        guard words.count == 1, !entries.isEmpty else {
            let name = words.joined(separator: " ")
            throw .notFound("there is no help on '\(name)': 'waggle help' lists all commands")
        }
        guard let alone = table.entry(noun, "") ?? (entries.count == 1 ? entries[0] : nil) else {
            return list(entries)
        }
        let others = entries.filter { $0 != alone }
        return full(alone) + (others.isEmpty ? "" : "\n" + list(others))
    }

    private var overview: String {
        let here = table.entries.filter { $0.place == .here }
        let node = table.entries.filter { $0.place == .node }
        return """
            Waggle finds people nearby on your own network, with no server and no account.

            Usage: waggle COMMAND [OPTIONS]

            On this device:
            \(Self.rows(here.map { ($0.name, $0.declaration.help) }))

            Asked of the running node:
            \(Self.rows(node.map { ($0.name, $0.declaration.help) }))

            Options for every command:
            \(Self.common)

            'waggle help COMMAND' shows one in full, and 'waggle help TOPIC' explains one of these:
            \(Self.rows(HelpTopic.all(of: table).map { ($0.name, $0.summary) }))

            Exit codes: \(Self.exitCodes)

            """
    }

    private func list(_ entries: [CommandTable.Entry]) -> String {
        """
        Usage: waggle \(entries[0].declaration.noun) VERB [OPTIONS]

        \(Self.rows(entries.map { ($0.name, $0.declaration.help) }))

        """
    }

    private func full(_ entry: CommandTable.Entry) -> String {
        let parameters = entry.declaration.parameters
        var sections = [
            "Usage: waggle \(Self.usage(entry))", entry.declaration.help,
        ]
        let places = parameters.filter(\.isPositional)
        if !places.isEmpty {
            sections.append(
                "Arguments:\n" + Self.rows(places.map { ($0.placeholder, Self.help($0)) }))
        }
        let options = parameters.filter { !$0.isPositional }
        if !options.isEmpty {
            let rows = options.map { (Self.name($0), Self.help($0)) }
            sections.append("Options:\n" + Self.rows(rows))
        }
        sections.append("Options for every command:\n" + Self.common)
        if entry.declaration.result != .done {
            sections.append("With --json it prints:\n" + entry.declaration.result.outline)
        }
        sections.append("Exit codes: " + Self.exitCodes)
        return sections.joined(separator: "\n\n") + "\n"
    }
}

extension HelpText {
    private static let exitCodes =
        "0 done, 1 failed, 2 wrong usage, 3 no node running,\n"
        + "4 not found, 5 refused, 6 timed out, 7 conflict."

    private static let common = rows(
        CommonOptions.parameters.map { parameter in
            (parameter.option + (parameter.schema == .boolean ? "" : " VALUE"), parameter.help)
        })

    /// Returns the words of a command line with a command's parameters.
    static func usage(_ entry: CommandTable.Entry) -> String {
        let parameters = entry.declaration.parameters
        let places = parameters.filter(\.isPositional).map { parameter in
            parameter.isRequired ? parameter.placeholder : "[\(parameter.placeholder)]"
        }
        let options = parameters.filter { !$0.isPositional }
        let required = options.filter(\.isRequired).map(name)
        let optional = options.contains { !$0.isRequired } ? ["[OPTIONS]"] : []
        return ([entry.name] + places + required + optional).joined(separator: " ")
    }

    /// Returns an option with the placeholder of its value.
    static func name(_ parameter: Parameter) -> String {
        switch parameter.schema {
        case .boolean: "--[no-]\(parameter.kebabName)"
        case .text(.choice(let words)): "\(parameter.option) \(words.joined(separator: "|"))"
        case .text(.path): "\(parameter.option) FILE"
        case .text: "\(parameter.option) TEXT"
        case .integer where parameter.isMoment: "\(parameter.option) TIME"
        case .integer, .number: "\(parameter.option) NUMBER"
        case .list(.text(.choice(let words)), _):
            "\(parameter.option) \(words.joined(separator: "|"))…"
        case .list: "\(parameter.option) TEXT…"
        case .any, .object, .map: "\(parameter.option) JSON"
        }
    }

    /// Returns the help of a parameter, with the choices of a positional one.
    static func help(_ parameter: Parameter) -> String {
        guard case .text(.choice(let words)) = parameter.schema, parameter.isPositional else {
            return parameter.help
        }
        return parameter.help + " One of \(words.joined(separator: ", "))."
    }

    private static func rows(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, help in
            "  " + name + String(repeating: " ", count: width - name.count + 2) + help
        }.joined(separator: "\n")
    }
}

extension Schema {
    /// The shape as JSON with types instead of values.
    var outline: String { "  " + body(indent: "  ") }

    private func body(indent: String) -> String {
        switch self {
        case .text: return "text"
        case .integer: return "integer"
        case .number: return "number"
        case .boolean: return "true or false"
        case .any: return "any value"
        case .map(let value): return "{name: \(value.body(indent: indent)), …}"
        case .list(let element, _): return "[" + element.body(indent: indent) + ", …]"
        case .object(let members, _):
            guard !members.isEmpty else { return "{}" }
            let lines = members.map { member in
                let name = member.name + (member.isRequired ? "" : "?")
                return "\(indent)  \(name): \(member.schema.body(indent: indent + "  "))"
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        }
    }
}
