public import Contract

/// Every command of the command line, in the order of its help.
public struct CommandTable: Sendable {
    /// A command: its declaration and the process that performs it.
    public struct Entry: Hashable, Sendable {
        /// The command's name, parameters and result.
        public let declaration: CommandDeclaration
        /// The process that performs it.
        public let place: Place

        /// The words that name it, as in `walk ask`; one word if it has no verb.
        public var name: String {
            declaration.verb.isEmpty
                ? declaration.noun : "\(declaration.noun) \(declaration.verb)"
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
    private let defaultVerbs: [String: String]

    /// Creates a table of the commands of a node and of those of this process. A command of this
    /// process replaces the node's `run` of the same noun, and calls it itself.
    /// - Parameter defaultVerbs: the verb that a noun alone means, if it is not one of the usual
    ///   ones.
    public init(
        node: [CommandDeclaration], here: [CommandDeclaration] = LocalCommand.declarations,
        defaultVerbs: [String: String] = [:]
    ) {
        let asked = node.filter { command in
            command.verb != "run" || !here.contains { $0.noun == command.noun }
        }
        entries =
            here.map { Entry(declaration: $0, place: .here) }
            + asked.map { Entry(declaration: $0, place: .node) }
        self.defaultVerbs = defaultVerbs
    }

    /// The nouns, each once, in order.
    public var nouns: [String] {
        var seen: Set<String> = []
        return entries.map(\.declaration.noun).filter { seen.insert($0).inserted }
    }

    /// Returns the commands of one noun, in order.
    public func entries(of noun: String) -> [Entry] {
        entries.filter { $0.declaration.noun == noun }
    }

    /// Returns the verbs of one noun, in order.
    func verbs(of noun: String) -> [String] {
        entries(of: noun).map(\.declaration.verb).filter { !$0.isEmpty }
    }

    /// Returns the command with these words, or nil.
    public func entry(_ noun: String, _ verb: String) -> Entry? {
        entries.first { $0.declaration.noun == noun && $0.declaration.verb == verb }
    }

    /// Returns the command that a noun alone means: the declared default, else the first that
    /// exists of the noun without a verb, `show`, `list` and `run`.
    func defaultEntry(of noun: String) -> Entry? {
        let verbs = [defaultVerbs[noun], "", "show", "list", "run"].compactMap { $0 }
        return verbs.lazy.compactMap { entry(noun, $0) }.first
    }
}
