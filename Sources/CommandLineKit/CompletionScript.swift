public import Contract

/// The completion script of a shell, generated from the declarations.
public struct CompletionScript: Sendable {
    private let table: CommandTable
    private let catalogue: Catalogue

    /// Creates completion for the commands of a table, with descriptions in a language.
    public init(_ table: CommandTable, in catalogue: Catalogue = .current) {
        self.table = table
        self.catalogue = catalogue
    }

    /// Returns the script; its first lines say how to use it.
    public func text(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private var bash: String {
        """
        # Completion of waggle for bash: eval "$(waggle completion bash)"
        _waggle() {
            local word="${COMP_WORDS[COMP_CWORD]}" noun="" verb="" at
            for ((at = 1; at < COMP_CWORD; at++)); do
                case "${COMP_WORDS[at]}" in
                    --home|--timeout) ((at++)) ;;
                    -*) ;;
                    *) if [ -z "$noun" ]; then noun="${COMP_WORDS[at]}"
                       elif [ -z "$verb" ]; then verb="${COMP_WORDS[at]}"; fi ;;
                esac
            done
            local words="\(Self.commonOptions)"
            case "$noun $verb" in
        \(bashCases)
            esac
            COMPREPLY=($(compgen -W "$words" -- "$word"))
        }
        complete -o default -F _waggle waggle

        """
    }

    private var bashCases: String {
        let nouns = ["        ' ') words=\"\(table.nouns.joined(separator: " ")) $words\" ;;"]
        let cases = table.nouns.flatMap { noun -> [String] in
            let full = table.entries(of: noun).filter { !$0.verb.isEmpty }
                .map { entry in
                    let names = entry.verbs.map { "'\(noun) \($0)'" }
                    return Self.bashCase(names.joined(separator: "|"), Self.words(of: entry))
                }
            let alone = table.defaultEntry(of: noun).map(Self.words) ?? []
            return full + [Self.bashCase("'\(noun) '*", table.allVerbs(of: noun) + alone)]
        }
        return (nouns + cases).joined(separator: "\n")
    }

    private static func bashCase(_ pattern: String, _ words: [String]) -> String {
        "        \(pattern)) words=\"\(words.map { $0 + " " }.joined())$words\" ;;"
    }

    /// The script for zsh, which runs that of bash: one list of words, one set of rules.
    private var zsh: String {
        """
        # Completion of waggle for zsh: eval "$(waggle completion zsh)"
        autoload -Uz bashcompinit && bashcompinit
        \(bash.split(separator: "\n").dropFirst().joined(separator: "\n"))

        """
    }

    private var fish: String {
        let lines =
            [
                "# Completion of waggle for fish: waggle completion fish | source",
                "complete -c waggle -f",
            ]
            + table.nouns.map(fishNoun) + table.entries.flatMap(fishLines)
            + CommonOptions.parameters.map { parameter in
                let value = parameter.schema == .boolean ? "" : " -r"
                let help = quoted(parameter.help)
                return "complete -c waggle -l \(parameter.kebabName)\(value) -d '\(help)'"
            }
        return lines.joined(separator: "\n") + "\n"
    }

    private func fishNoun(_ noun: String) -> String {
        let entries = table.entries(of: noun)
        let help =
            entries.count == 1
            ? entries[0].declaration.help : table.verbs(of: noun).joined(separator: ", ")
        return fishLine("__fish_use_subcommand", "-a \(noun)", help)
    }

    private func fishLines(_ entry: CommandTable.Entry) -> [String] {
        let (noun, verbs) = (entry.declaration.noun, entry.verbs.joined(separator: " "))
        let seen = "__fish_seen_subcommand_from"
        let verbLine =
            verbs.isEmpty
            ? [] : [fishLine("\(seen) \(noun)", "-a '\(verbs)'", entry.declaration.help)]
        let condition = "\(seen) \(noun)" + (verbs.isEmpty ? "" : "; and \(seen) \(verbs)")
        return verbLine + entry.declaration.parameters.map { fishParameter($0, condition) }
    }
}

extension CompletionScript {
    private static let commonOptions =
        CommonOptions.parameters.map(\.option).joined(separator: " ")

    /// Returns the words that may follow a command's name: the choices of its first positional
    /// parameter, then its options.
    private static func words(of entry: CommandTable.Entry) -> [String] {
        entry.declaration.parameters.flatMap { parameter -> [String] in
            if parameter.isPositional {
                guard case .text(.choice(let words)) = parameter.schema else { return [] }
                return words
            }
            guard parameter.schema == .boolean else { return [parameter.option] }
            return [parameter.option, "--no-\(parameter.kebabName)"]
        }
    }

    private func fishLine(_ condition: String, _ what: String, _ help: String) -> String {
        "complete -c waggle -n '\(condition)' \(what) -d '\(quoted(help))'"
    }

    private func fishParameter(_ parameter: Parameter, _ condition: String) -> String {
        switch parameter.schema {
        case .text(.choice(let words)) where parameter.isPositional:
            fishLine(condition, "-a '\(words.joined(separator: " "))'", parameter.help)
        case .text(.choice(let words)):
            fishLine(
                condition, "-l \(parameter.kebabName) -x -a '\(words.joined(separator: " "))'",
                parameter.help)
        case .boolean: fishLine(condition, "-l \(parameter.kebabName)", parameter.help)
        default:
            fishLine(
                condition, parameter.isPositional ? "-x" : "-l \(parameter.kebabName) -x",
                parameter.help)
        }
    }

    /// Returns a text of a declaration in the person's language, for single quotes of a shell.
    private func quoted(_ text: String) -> String {
        catalogue.text(Sentence(declared: text)).reduce(into: "") { quoted, character in
            if character == "'" || character == "\\" { quoted += "\\" }
            quoted.append(character)
        }
    }
}
