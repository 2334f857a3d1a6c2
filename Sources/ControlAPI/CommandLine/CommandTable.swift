public import PluginKit

/// Every command of the command line, in the order of its help.
public struct CommandTable: Sendable {
    /// One command: its declaration and who does it.
    public struct Entry: Hashable, Sendable {
        /// What it is called, takes and gives.
        public let declaration: CommandDeclaration
        /// Who does it.
        public let place: Place

        /// The words that name it, as in `walk ask`; one word where it has no verb.
        public var name: String {
            declaration.verb.isEmpty
                ? declaration.noun : "\(declaration.noun) \(declaration.verb)"
        }
    }

    /// Where a command is done.
    public enum Place: Hashable, Sendable {
        /// In this process; it works with no node running.
        case here
        /// In the node.
        case node
    }

    /// The commands, those done here first.
    public let entries: [Entry]
    private let defaultVerbs: [String: String]

    /// A table of the commands of a node and of those done in this process. A command done here
    /// stands in for the node's `run` of the same noun, which it asks itself.
    /// - Parameter defaultVerbs: the verb of a noun alone, where it is none of the usual ones.
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

    /// The commands of one noun, in order.
    public func entries(of noun: String) -> [Entry] {
        entries.filter { $0.declaration.noun == noun }
    }

    /// The verbs of one noun, in order.
    func verbs(of noun: String) -> [String] {
        entries(of: noun).map(\.declaration.verb).filter { !$0.isEmpty }
    }

    /// The command of these words, or nil.
    public func entry(_ noun: String, _ verb: String) -> Entry? {
        entries.first { $0.declaration.noun == noun && $0.declaration.verb == verb }
    }

    /// The command that a noun alone means: the declared default, else its only way to look.
    func defaultEntry(of noun: String) -> Entry? {
        let verbs = [defaultVerbs[noun], "", "show", "list", "run"].compactMap { $0 }
        return verbs.lazy.compactMap { entry(noun, $0) }.first
    }
}
