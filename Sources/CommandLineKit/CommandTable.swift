public import Contract
public import ControlAPI

/// Every command of the command line, in the order of its help.
public struct CommandTable: Sendable {
    /// A command: its declaration and the process that performs it.
    public struct Entry: Hashable, Sendable {
        /// The command's name, parameters and result.
        public let declaration: CommandDeclaration
        /// The process that performs it.
        public let place: Place

        /// The verb as it is typed: empty if the noun is a command by itself, as `stop` is, whose
        /// verb in the local API is `run`.
        public var verb: String { declaration.verb == "run" ? "" : declaration.verb }

        /// The words that name it, as in `walk ask`; one word if it has no verb.
        public var name: String {
            verb.isEmpty ? declaration.noun : "\(declaration.noun) \(verb)"
        }

        /// Every verb that means it, as it is typed, the one of the local API first; none if the
        /// noun is a command by itself.
        var verbs: [String] { verb.isEmpty ? [] : [verb] + declaration.aliases }

        /// Whether it reads, and needs nothing to be typed.
        var isPlainQuery: Bool {
            declaration.kind == .query && !declaration.parameters.contains(where: \.isRequired)
        }
    }

    /// The process that performs a command.
    public enum Place: Hashable, Sendable {
        /// This process; the command works without a running node.
        case here
        /// The node's process.
        case node
    }

    /// The commands, those of this process first.
    public let entries: [Entry]
    /// The events of a node.
    public let events: [EventDeclaration]

    /// Creates a table of the commands of a node and of those of this process. A command of this
    /// process replaces the node's `run` of the same noun, and calls it itself.
    public init(
        node: [CommandDeclaration], events: [EventDeclaration] = [],
        here: [CommandDeclaration] = LocalCommand.declarations
    ) {
        self.events = events
        let asked = node.filter { command in
            command.verb != "run" || !here.contains { $0.noun == command.noun }
        }
        entries =
            here.map { Entry(declaration: $0, place: .here) }
            + asked.map { Entry(declaration: $0, place: .node) }
    }

    /// The nouns, each once, in order.
    public var nouns: [String] {
        var seen: Set<String> = []
        return entries.map(\.declaration.noun).filter { seen.insert($0).inserted }
    }

    /// Returns the topics of the events after which the answer of a query may be new; none if it
    /// cannot be followed.
    public func topics(of entry: Entry) -> [String] {
        guard entry.place == .node, entry.declaration.kind == .query else { return [] }
        let follows = entry.declaration.follows.map(\.topic)
        guard follows.isEmpty else { return follows }
        return events.map(\.topic).filter { $0 == entry.declaration.noun }
    }

    /// Returns an event as a sentence for a person; one that a newer node added is its topic.
    public func sentence(for event: NodeEvent, _ names: EventNames) -> Sentence {
        events.first { $0.topic == event.topic }?.sentence(for: event.payload, names)
            ?? Sentence(verbatim: event.topic)
    }

    /// Returns the commands of one noun, in order.
    public func entries(of noun: String) -> [Entry] {
        entries.filter { $0.declaration.noun == noun }
    }

    /// Returns the verbs of one noun, in order, without aliases.
    func verbs(of noun: String) -> [String] {
        entries(of: noun).map(\.verb).filter { !$0.isEmpty }
    }

    /// Returns the verbs of one noun, in order, each followed by its aliases.
    func allVerbs(of noun: String) -> [String] {
        entries(of: noun).flatMap(\.verbs)
    }

    /// Returns the command with these words, one of which may be an alias, or nil.
    public func entry(_ noun: String, _ verb: String) -> Entry? {
        entries.first {
            $0.declaration.noun == noun && ($0.verb == verb || $0.verbs.contains(verb))
        }
    }

    /// Returns the command that a noun alone means: the one without a verb; else `show`, `list` or
    /// another query that needs nothing more. So a noun with verbs shows something, and never acts.
    func defaultEntry(of noun: String) -> Entry? {
        if let alone = entry(noun, "") { return alone }
        let queries = entries(of: noun).filter(\.isPlainQuery)
        return ["show", "list"].lazy.compactMap { verb in queries.first { $0.verb == verb } }.first
            ?? queries.first
    }
}
