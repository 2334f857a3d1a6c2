public import Contract

/// Parses the words of a command line according to a table of declared commands.
///
/// Plugins declare commands while the program runs and a command is declared once, so this reads
/// the same declarations as the local API instead of a second description for the command line.
public struct CommandLineParser: Sendable {
    private let table: CommandTable
    private let directory: String
    private let now: Timestamp

    /// Creates a parser for the commands of a table.
    /// - Parameters:
    ///   - directory: the directory in which the command line was called. The node's own directory
    ///     is another one, so the parser makes paths of files absolute.
    ///   - now: the moment from which times in words count, such as "in 2 h".
    public init(_ table: CommandTable, directory: String = "/", now: Timestamp) {
        self.table = table
        self.directory = directory
        self.now = now
    }

    /// Whether these words ask for errors as JSON.
    public static func wantsJSON(_ words: [String]) -> Bool {
        words.prefix { $0 != "--" }.contains("--json")
    }

    /// Decodes the bytes of a command line to words.
    /// - Throws: ``CommandFault/usage(_:field:)`` naming the first word that is not UTF-8.
    public static func words(_ bytes: [[UInt8]]) throws(CommandFault) -> [String] {
        var words: [String] = []
        for word in bytes {
            guard let text = String(validating: word, as: UTF8.self) else {
                let shown = String(decoding: word, as: UTF8.self).harmless
                throw .usage("word \(words.count + 1) of the command is not UTF-8: '\(shown)'")
            }
            words.append(text)
        }
        return words
    }

    /// Returns the command, help or version that the words ask for.
    /// - Parameter words: the words without the program's name.
    /// - Throws: ``CommandFault/usage(_:field:)``, in the order unknown command, unknown option or
    ///   invalid value, surplus word, missing parameter.
    public func parse(_ words: [String]) throws(CommandFault) -> Invocation {
        var reading = Reading(words, now: now)
        try reading.consumeOptionsBeforeCommand()
        guard let noun = reading.consumeWord() else {
            return Invocation(
                purpose: reading.wantsVersion ? .version : .help([]), options: reading.common)
        }
        guard !table.entries(of: noun).isEmpty else { throw unknown(noun) }
        try reading.consumeCommonOptions()
        if reading.wantsHelp, reading.isAtEnd {
            return Invocation(purpose: .help([noun]), options: reading.common)
        }
        let entry = try consumeVerb(of: noun, &reading)
        do throws(CommandFault) {
            try reading.consumeArguments(of: entry)
            return try invocation(entry, reading)
        } catch {
            throw error.asTyped(for: entry.declaration)
        }
    }

    private func invocation(
        _ entry: CommandTable.Entry, _ reading: Reading
    ) throws(CommandFault) -> Invocation {
        if reading.wantsHelp {
            let words = entry.name.split(separator: " ").map(String.init)
            return Invocation(purpose: .help(words), options: reading.common)
        }
        if reading.wantsVersion { return Invocation(purpose: .version, options: reading.common) }
        if reading.common.follows, table.topics(of: entry).isEmpty {
            throw .usage(
                entry.declaration.kind == .query
                    ? "'waggle \(entry.name)' cannot be followed: changes to its answer are not "
                        + "reported"
                    : "'waggle \(entry.name)' cannot be followed: --follow is for commands that "
                        + "only show something")
        }
        try reading.checkComplete(entry)
        let values = reading.values(of: entry, in: directory)
        let arguments = try Arguments(checking: values, against: entry.declaration)
        if entry.place == .here, entry.declaration.noun == LocalCommand.help.rawValue {
            let topic = try arguments.request(as: ShowHelp.self).command ?? []
            return Invocation(purpose: .help(topic), options: reading.common)
        }
        return Invocation(purpose: .run(entry, arguments), options: reading.common)
    }

    /// Reads the next word as a verb, or returns the command that the noun alone means.
    private func consumeVerb(
        of noun: String, _ reading: inout Reading
    ) throws(CommandFault) -> CommandTable.Entry {
        let standard = table.defaultEntry(of: noun)
        if let word = reading.nextPlainWord {
            if let entry = table.entry(noun, word), !word.isEmpty {
                _ = reading.consumeWord()
                return entry
            }
            if let standard, standard.verb.isEmpty,
                standard.declaration.parameters.contains(where: \.isPositional)
            {
                return standard
            }
            if standard?.verb != "" { throw unknownVerb(word, of: noun) }
        }
        guard let standard else {
            throw .usage("'waggle \(noun)' needs a verb: \(verbs(of: noun))")
        }
        return standard
    }

    private func unknown(_ noun: String) -> CommandFault {
        .usage(
            "there is no command '\(noun)'\(Spelling.hint(for: noun, among: table.nouns))"
                + "'waggle help' lists them all")
    }

    private func unknownVerb(_ word: String, of noun: String) -> CommandFault {
        let verbs = table.allVerbs(of: noun)
        return .usage(
            "'waggle \(noun)' has no verb '\(word)'\(Spelling.hint(for: word, among: verbs))"
                + "its verbs: \(self.verbs(of: noun))")
    }

    private func verbs(of noun: String) -> String {
        table.verbs(of: noun).joined(separator: ", ")
    }
}
