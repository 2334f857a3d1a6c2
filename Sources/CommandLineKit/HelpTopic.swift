import Contract

/// Help on something that concerns several commands. The commands contribute the examples, and the
/// sentences that concern one of them alone.
struct HelpTopic: Sendable {
    /// The word after `waggle help`.
    let name: String
    /// One line for the list of topics.
    let summary: String
    /// Whole sentences, wrapped for a terminal of 80 columns.
    let text: String
    /// Commands as they are typed, each with its effect.
    let examples: [(command: String, effect: String)]

    /// Returns the topics with the parts of a table's commands, in the order in which a new person
    /// needs them.
    static func all(of table: CommandTable, in catalogue: Catalogue) -> [HelpTopic] {
        let parts = table.entries.flatMap(\.declaration.topics)
        return HelpTopicName.allCases.map { HelpTopic($0, parts, catalogue) }
    }

    private init(_ topic: HelpTopicName, _ parts: [HelpTopicPart], _ catalogue: Catalogue) {
        self.catalogue = catalogue
        name = topic.rawValue
        summary = catalogue.text(topic.summary)
        let sentences = parts.compactMap { part -> String? in
            if case .text(topic, let text) = part {
                catalogue.text(Sentence(declared: text))
            } else {
                nil
            }
        }
        text = ([catalogue.text(topic.text)] + sentences).joined(separator: "\n")
        examples = parts.compactMap { part -> (command: String, effect: String)? in
            if case .example(topic, let command, let effect) = part {
                (command, catalogue.text(Sentence(declared: effect)))
            } else {
                nil
            }
        }
    }

    private let catalogue: Catalogue

    /// The topic's help.
    var full: String {
        guard !examples.isEmpty else { return text + "\n" }
        let rows = examples.map { "  \($0.command)\n      \($0.effect)" }
        return text + "\n\n" + catalogue.text("Examples:") + "\n" + rows.joined(separator: "\n")
            + "\n"
    }
}

extension HelpTopicName {
    fileprivate var summary: Sentence {
        switch self {
        case .start: "The first commands."
        case .people: "How to name people, groups and other things."
        case .times: "How to type times: 'tomorrow 18:00', 'in 2 h'."
        case .privacy: "Who sees what of you, and how to change it."
        case .scripts: "JSON, exit codes and events, for programs."
        }
    }

    /// The sentences that hold whatever commands there are.
    fileprivate var text: Sentence {
        switch self {
        case .start:
            """
            Your identity is created once on each device and never leaves it. Keep Waggle
            running as long as you want to be found and to hear from others. Give all
            other commands in another terminal, or use the window.
            """
        case .people:
            """
            Refer to mates and groups by name. If two have the same name, use the key
            instead: the first six digits are enough if no other key begins with them.
            Six digits that begin a key always mean that key.
            """
        case .times:
            """
            A time without a date means its next occurrence. A weekday is today only if
            the time is still ahead. 'next Monday' is never today. A date without a year
            means its next occurrence. Times are those of this device's time zone. In
            JSON a time is its number of milliseconds since 1970, which the command line
            takes too.
            """
        case .privacy:
            """
            Strangers see that a device is here, not whose it is. Your name and your
            dog's are shown to mates, and to everyone for ten minutes if you say so.
            Your location is shown to mates if you set it by hand.
            """
        case .scripts:
            """
            With --json a command prints its answer, or its error, as one line of
            JSON. The exit code says how it ended: 0 done, 1 failed, 2 wrong usage, 3
            Waggle not running, 4 not found, 5 refused, 6 timed out, 7 conflict. With
            --follow a query prints a new answer after each change, and watch prints
            every change. The same answers come from the local API, an HTTP server on a
            Unix socket, which describes itself.

            On a terminal, tables show the columns that fit, and ids by their first
            digits. To a pipe or a file, a table has one line for each row, with all
            columns and whole ids.
            """
        }
    }
}
