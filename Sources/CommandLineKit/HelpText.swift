public import Contract

/// Help, generated from the declarations.
public struct HelpText: Sendable {
    private let table: CommandTable
    private let catalogue: Catalogue

    /// Creates help for the commands of a table, in a language. The names of commands and options,
    /// placeholders and shapes of JSON are the same in every language.
    public init(_ table: CommandTable, in catalogue: Catalogue = .current) {
        self.table = table
        self.catalogue = catalogue
    }

    /// Returns help on a command, on a noun's commands, on a topic, or on everything if there are
    /// no words.
    /// - Throws: ``CommandFault/notFound(_:)`` if there is no such command or topic.
    public func text(on words: [String]) throws(CommandFault) -> String {
        guard let noun = words.first else { return overview }
        let entries = table.entries(of: noun)
        if words.count == 2, let entry = table.entry(noun, words[1]) { return full(entry) }
        let topics = HelpTopic.all(of: table, in: catalogue)
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
        let topics = HelpTopic.all(of: table, in: catalogue)
        let finding: Sentence =
            "Waggle finds people nearby on your own network, with no server and no account."
        let more: Sentence =
            "'waggle help COMMAND' shows one in full, and 'waggle help TOPIC' explains one of these:"
        return """
            \(catalogue.text(finding))

            \(synopsis("COMMAND [OPTIONS]"))

            \(catalogue.text("On this device:"))
            \(rows(here.map { ($0.name, help($0)) }))

            \(catalogue.text("While Waggle is running:"))
            \(rows(node.map { ($0.name, help($0)) }))

            \(catalogue.text("Options for every command:"))
            \(common)

            \(catalogue.text(more))
            \(rows(topics.map { ($0.name, $0.summary) }))

            \(exitCodes)

            """
    }

    private func list(_ entries: [CommandTable.Entry]) -> String {
        """
        \(synopsis("\(entries[0].declaration.noun) VERB [OPTIONS]"))

        \(rows(entries.map { (Self.names($0), help($0)) }))

        """
    }

    private func full(_ entry: CommandTable.Entry) -> String {
        let parameters = entry.declaration.parameters
        var sections = [synopsis(Self.usage(entry)), help(entry)]
        if !entry.declaration.aliases.isEmpty { sections.append(catalogue.text(Self.also(entry))) }
        let places = parameters.filter(\.isPositional)
        if !places.isEmpty {
            sections.append(
                section("Arguments:", rows(places.map { ($0.placeholder, help($0)) })))
        }
        let options = parameters.filter { !$0.isPositional }
        if !options.isEmpty {
            sections.append(section("Options:", rows(options.map { (Self.name($0), help($0)) })))
        }
        sections.append(section("Options for every command:", common))
        if entry.declaration.result != .done {
            sections.append(section("With --json it prints:", entry.declaration.result.outline))
        }
        sections.append(exitCodes)
        return sections.joined(separator: "\n\n") + "\n"
    }

    private func synopsis(_ words: String) -> String {
        catalogue.text("Usage: waggle \(words)")
    }

    private func section(_ title: Sentence, _ content: String) -> String {
        catalogue.text(title) + "\n" + content
    }

    private func help(_ entry: CommandTable.Entry) -> String {
        catalogue.text(Sentence(declared: entry.declaration.help))
    }

    private func help(_ parameter: Parameter) -> String { catalogue.text(Self.help(parameter)) }

    private var exitCodes: String {
        catalogue.text(
            "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 Waggle not running,\n"
                + "4 not found, 5 refused, 6 timed out, 7 conflict.")
    }

    private var common: String {
        rows(
            CommonOptions.parameters.map { parameter in
                (
                    parameter.option + (parameter.schema == .boolean ? "" : " VALUE"),
                    help(parameter)
                )
            })
    }

    private func rows(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, help in
            "  " + name + String(repeating: " ", count: width - name.count + 2) + help
        }.joined(separator: "\n")
    }
}

extension HelpText {
    /// Returns the words that name a command, with its other verbs, as in `promise edit, change`.
    static func names(_ entry: CommandTable.Entry) -> String {
        ([entry.name] + entry.declaration.aliases).joined(separator: ", ")
    }

    /// Returns the sentence that names a command's other verbs.
    static func also(_ entry: CommandTable.Entry) -> Sentence {
        let names = entry.declaration.aliases.map { "'\(entry.declaration.noun) \($0)'" }
        return "The same as \(names.joined(separator: ", "))."
    }

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
    static func help(_ parameter: Parameter) -> Sentence {
        let help = Sentence(declared: parameter.help)
        guard case .text(.choice(let words)) = parameter.schema, parameter.isPositional else {
            return help
        }
        return "\(help) One of \(words.joined(separator: ", "))."
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
