import Contract
import ControlAPI
import TimePhrases

extension CommandLineParser {
    /// The words still to be read, and the values read so far.
    struct Reading {
        private var words: ArraySlice<String>
        private var optionsEnded = false
        private(set) var common = CommonOptions()
        private(set) var wantsHelp = false
        private(set) var wantsVersion = false
        private(set) var values: [String: JSONValue] = [:]
        private let now: Timestamp

        init(_ words: [String], now: Timestamp) {
            self.words = words[...]
            self.now = now
        }
    }
}

extension CommandLineParser.Reading {
    var isAtEnd: Bool { words.isEmpty }

    /// The next word, if it is not an option.
    var nextPlainWord: String? {
        guard let word = words.first, optionsEnded || !Self.isOption(word) else { return nil }
        return word
    }

    mutating func consumeWord() -> String? {
        guard let word = nextPlainWord else { return nil }
        words.removeFirst()
        return word
    }

    /// Reads options that every command has, and no others, up to the first other word. After two
    /// hyphens no word is an option.
    mutating func consumeOptionsBeforeCommand() throws(CommandFault) {
        try consumeCommonOptions()
        guard let word = words.first, Self.isOption(word) else { return }
        guard word != "--" else {
            words.removeFirst()
            optionsEnded = true
            return
        }
        let names = CommonOptions.parameters.map(\.option)
        throw .usage(
            "there is no option '\(word)' before a command"
                + "\(Spelling.hint(for: word, among: names))'waggle help' lists them all")
    }

    /// Reads options that every command has, up to the first word that is something else.
    mutating func consumeCommonOptions() throws(CommandFault) {
        while !optionsEnded, let word = words.first, Self.isOption(word), word != "--" {
            let rest = words
            words.removeFirst()
            guard try consumeCommonOption(word) else {
                words = rest
                return
            }
        }
    }

    /// Reads the remaining words as the options and positional arguments of one command.
    mutating func consumeArguments(of entry: CommandTable.Entry) throws(CommandFault) {
        var places = entry.declaration.parameters.filter(\.isPositional)[...]
        while let word = words.first {
            words.removeFirst()
            if word == "--", !optionsEnded {
                optionsEnded = true
            } else if optionsEnded || !Self.isOption(word) {
                guard let place = places.first else {
                    throw .usage(
                        "'waggle \(entry.name)' takes no more words: '\(word)' is unexpected")
                }
                try set(place, to: jsonValue(of: place, word))
                if !place.isList { places.removeFirst() }
            } else if try !consumeCommonOption(word) {
                try consumeOption(word, of: entry)
            }
        }
    }

    /// Returns the values read, with absolute paths for files.
    func values(of entry: CommandTable.Entry, in directory: String) -> [String: JSONValue] {
        var values = values
        for parameter in entry.declaration.parameters where parameter.schema == .text(.path) {
            guard let path = values[parameter.name]?.string, !path.hasPrefix("/") else { continue }
            values[parameter.name] = .string(directory + (directory == "/" ? "" : "/") + path)
        }
        return values
    }

    /// - Throws: ``CommandFault/usage(_:field:)`` for the first required parameter left out.
    func checkComplete(_ entry: CommandTable.Entry) throws(CommandFault) {
        for parameter in entry.declaration.parameters
        where parameter.isRequired && values[parameter.name] == nil {
            let place = parameter.isPositional ? parameter.placeholder : parameter.option
            throw .usage(
                "'waggle \(entry.name)' needs \(place): \(Sentence(declared: parameter.help))",
                field: parameter.name)
        }
    }
}

extension CommandLineParser.Reading {
    /// Whether a word starts with a hyphen and is neither a negative number nor the hyphen alone.
    private static func isOption(_ word: String) -> Bool {
        word.hasPrefix("-") && word != "-" && !isNumber(word.dropFirst())
    }

    private static func isNumber(_ word: Substring) -> Bool {
        word.first.map { $0.isNumber || $0 == "." } == true && Double(word) != nil
    }

    /// Returns the two halves of `--name=value`.
    private static func split(_ word: String) -> (name: String, value: String?) {
        guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }

    private mutating func consumeCommonOption(_ word: String) throws(CommandFault) -> Bool {
        let (name, value) = Self.split(word)
        switch (name, value) {
        case ("--json", nil): common.isJSON = true
        case ("--follow", nil): common.follows = true
        case ("--help", nil), ("-h", nil): wantsHelp = true
        case ("--version", nil): wantsVersion = true
        case ("--json", _), ("--follow", _), ("--help", _), ("--version", _):
            throw .usage("\(name) takes no value")
        case ("--home", _): common.home = try consumeHome(value)
        case ("--timeout", _): common.timeout = try consumeTimeout(value)
        default: return false
        }
        return true
    }

    private mutating func consumeHome(_ value: String?) throws(CommandFault) -> String {
        let path = try consumeValue(value, of: "--home", help: "a directory")
        guard !path.isEmpty else { throw .usage("--home needs a value: a directory") }
        return path
    }

    private mutating func consumeTimeout(_ value: String?) throws(CommandFault) -> Duration {
        let text = try consumeValue(value, of: "--timeout", help: "a number of seconds")
        // A day is longer than any answer needs, and the sum with the clock's time stays in its
        // range.
        guard let seconds = text.decimalNumber, (0.001...86_400).contains(seconds) else {
            throw .usage(
                "--timeout must be a number of seconds from 0.001 to 86400, not '\(text)'")
        }
        return .milliseconds(Int64((seconds * 1000).rounded()))
    }

    private mutating func consumeOption(
        _ word: String, of entry: CommandTable.Entry
    ) throws(CommandFault) {
        let (name, value) = Self.split(word)
        let parameters = entry.declaration.parameters
        if let parameter = parameters.first(where: { $0.option == name }) {
            guard parameter.schema == .boolean, value == nil else {
                let text = try consumeValue(
                    value, of: name, help: Sentence(declared: parameter.help))
                return try set(parameter, to: jsonValue(of: parameter, text))
            }
            return try set(parameter, to: .boolean(true))
        }
        let denied = parameters.first { $0.schema == .boolean && "--no-" + $0.kebabName == name }
        guard let denied else {
            let names = (parameters + CommonOptions.parameters).map(\.option)
            throw .usage(
                "'waggle \(entry.name)' has no option \(name)"
                    + "\(Spelling.hint(for: name, among: names))"
                    + "'waggle help \(entry.name)' lists its options")
        }
        guard value == nil else { throw .usage("\(name) takes no value", field: denied.name) }
        try set(denied, to: .boolean(false))
    }

    private mutating func consumeValue(
        _ value: String?, of option: String, help: Sentence
    ) throws(CommandFault) -> String {
        if let value { return value }
        guard let next = words.popFirst() else {
            throw .usage("\(option) needs a value: \(help)")
        }
        return next
    }

    /// Returns a typed word as a value. A time is typed in words.
    private func jsonValue(of parameter: Parameter, _ text: String) throws(CommandFault)
        -> JSONValue
    {
        guard parameter.isMoment else { return try parameter.value(fromText: text) }
        do throws(TimePhraseFault) {
            return .integer(try TimePhrase(text, now: now).moment.milliseconds)
        } catch {
            throw .usage("\(parameter.option): \(error.sentence)", field: parameter.name)
        }
    }

    private mutating func set(_ parameter: Parameter, to value: JSONValue) throws(CommandFault) {
        values[parameter.name] = try parameter.joining(values[parameter.name], value)
    }
}
