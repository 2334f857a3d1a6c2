/// Help on something that concerns several commands, with examples that can be typed as they are.
struct HelpTopic: Sendable {
    /// The word after `waggle help`.
    let name: String
    /// One line for the list of topics.
    let summary: String
    /// Whole sentences, wrapped for a terminal of 80 columns.
    let text: String
    /// Commands as they are typed, each with what it does.
    let examples: [(command: String, effect: String)]

    /// The topics, in the order in which a new person needs them.
    static let all = [start, people, times, privacy, scripts]

    /// The topic's help.
    var full: String {
        let rows = examples.map { "  \($0.command)\n      \($0.effect)" }
        return text + "\n\nExamples:\n" + rows.joined(separator: "\n") + "\n"
    }

    private static let start = HelpTopic(
        name: "start", summary: "The first five commands.",
        text: """
            Your identity is created once on each device and never leaves it. The node
            runs as long as you want to be found and to hear from others. Everything
            else is asked of it, from another terminal or from the window.
            """,
        examples: [
            ("waggle init", "creates your identity and shows its recovery words, once"),
            ("waggle node", "runs the node until Ctrl-C"),
            ("waggle me edit --nickname Ann", "says what others call you"),
            ("waggle nearby", "lists who is here, or why nobody is"),
            ("waggle drop start", "exchanges cards with someone who presses too"),
        ])

    private static let people = HelpTopic(
        name: "people", summary: "How to name people, groups and promises.",
        text: """
            Mates and groups are called by their name, and promises by their title until
            they are over. If two have the same name, call them by key: the first six
            digits are enough if no other key begins with them. Six digits that begin a
            key always mean that key.
            """,
        examples: [
            ("waggle mates", "lists your mates with their keys"),
            ("waggle chat open Ann", "opens the room of the mate who is called so"),
            ("waggle chat open 3fa2c1", "opens the room of the mate whose key begins so"),
            ("waggle promise invite Dinner --with Ann --with 90bb17", "names two mates"),
        ])

    private static let times = HelpTopic(
        name: "times", summary: "How to type times: 'tomorrow 18:00', 'in 2 h'.",
        text: """
            A time without a date means its next occurrence. A weekday is today only if
            the time is still ahead. 'next Monday' is never today. A date without a year
            means its next occurrence. Times are those of this device's time zone. In
            JSON a time is its number of milliseconds since 1970, which the command line
            takes too.
            """,
        examples: [
            ("waggle promise edit 77aa02 --at 18:00", "today, or tomorrow if it has passed"),
            ("waggle promise edit 77aa02 --at 'tomorrow 6 pm'", "a day and a time"),
            ("waggle promise edit 77aa02 --at 'Mon 18:00'", "the next Monday"),
            ("waggle promise edit 77aa02 --at '24 Nov 18:00'", "a date"),
            ("waggle promise edit 77aa02 --at 2026-11-24T18:00", "a date for programs"),
            ("waggle promise edit 77aa02 --at 'in 90 min'", "from now"),
            ("waggle promise edit 77aa02 --at '내일 오후 6시'", "the same in Korean"),
        ])

    private static let privacy = HelpTopic(
        name: "privacy", summary: "Who sees what of you, and how to change it.",
        text: """
            Strangers see that a device is here, not whose it is. Your names are shown
            to mates, and to everyone for ten minutes after you say so. Your location is
            shown to mates if you set it by hand, and to those who take part in a
            promise in the half hour before.
            """,
        examples: [
            ("waggle visibility", "shows who sees your names now"),
            ("waggle visibility everyone", "shows your names to everyone for ten minutes"),
            ("waggle location clear", "removes your location, for your mates too"),
            ("waggle promise stop 77aa02", "stops showing where you are"),
            ("waggle mates block 3fa2c1 --reason unpleasant", "hides them, and sends them nothing"),
        ])

    private static let scripts = HelpTopic(
        name: "scripts", summary: "JSON, exit codes and events, for programs.",
        text: """
            With --json a command prints its answer, or its error, as one line of
            JSON. The exit code says how it ended: 0 done, 1 failed, 2 wrong usage, 3 no
            node running, 4 not found, 5 refused, 6 timed out, 7 conflict. A follow
            command prints a new answer after each change, and watch prints every
            change. The same answers come from the local API, an HTTP server on a Unix
            socket, which describes itself.
            """,
        examples: [
            ("waggle mates list --json", "one line of JSON"),
            ("waggle watch walk inbox --json", "one line for each change of these topics"),
            ("waggle status show --timeout 5", "gives up after five seconds"),
        ])
}
