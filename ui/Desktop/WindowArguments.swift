/// A fault in the arguments.
enum ArgumentFault: Error, Equatable, CustomStringConvertible {
    case unknown(String)
    case missingValue(String)

    var description: String {
        switch self {
        case .unknown(let word): "“\(word)” is unknown; see waggle-window --help."
        case .missingValue(let option): "\(option) needs a folder after it."
        }
    }
}

/// The arguments of `waggle-window`.
struct WindowArguments: Equatable, Sendable {
    static let help = """
        usage: waggle-window [--home DIR]

        Opens Waggle's window, and starts the node where it does not run yet.
        Closing the window stops nothing.

          --home DIR   use the node whose files are in DIR, instead of your own
          --help       say this
        """

    /// The folder after `--home`; nil if there is none.
    var home: String?
    var wantsHelp = false

    /// Reads the arguments after the program's name.
    /// - Throws: ``ArgumentFault`` for the first argument that is not valid.
    init(_ words: [String]) throws(ArgumentFault) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": wantsHelp = true
            case "--home":
                guard let folder = rest.popFirst(), !folder.isEmpty else {
                    throw .missingValue(word)
                }
                home = folder
            case _ where word.hasPrefix("--home="):
                home = String(word.dropFirst("--home=".count))
            default: throw .unknown(word)
            }
        }
    }
}
