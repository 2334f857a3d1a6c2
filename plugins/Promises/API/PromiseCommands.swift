public import Contract

/// The commands of promises.
public enum PromiseCommands {
    /// Makes a promise.
    public static let create = Command<CreatePromise, PromiseDetail>(
        .action, "promise", "create", aliases: ["make"],
        help: "Makes a promise with mates: where to be, and when.",
        topics: [
            .example(
                .people, command: "waggle promise create --from dinner.ics --with Ann",
                effect: "makes a promise from an event in your calendar")
        ])
    /// Changes a promise.
    public static let edit = Command<EditPromise, PromiseDetail>(
        .action, "promise", "edit", aliases: ["change"], help: "Changes a promise that you made.",
        topics: [
            time("18:00", "today, or tomorrow if it has passed"),
            time("'tomorrow 6 pm'", "a day and a time"),
            time("'Mon 18:00'", "the next Monday"),
            time("'24 Nov 18:00'", "a date"),
            time("2026-11-24T18:00", "a date for programs"),
            time("'in 90 min'", "from now"),
            time("'내일 오후 6시'", "the same in Korean"),
        ])
    /// Asks more mates.
    public static let invite = Command<InviteToPromise, PromiseDetail>(
        .action, "promise", "invite", help: "Invites more mates to a promise that you made.",
        topics: [
            .text(.people, "Refer to a promise by its title until it is over."),
            .example(
                .people, command: "waggle promise invite Dinner --with Ann --with 90bb17",
                effect: "names two mates"),
        ])
    /// Deletes a promise.
    public static let delete = Command<PromiseReference, Done>(
        .action, "promise", "delete", aliases: ["call-off"],
        help: "Calls off a promise that you made.")
    /// Accepts an invitation.
    public static let accept = Command<AgreeToPromise, PromiseDetail>(
        .action, "promise", "accept", help: "Accepts an invitation to a promise.")
    /// Agrees to the new time of a promise.
    public static let confirm = Command<AgreeToPromise, PromiseDetail>(
        .action, "promise", "confirm",
        help: "Agrees to the new time of a promise; your location is not shown before that.")
    /// Leaves a promise or declines an invitation.
    public static let leave = Command<PromiseReference, PromiseDetail>(
        .action, "promise", "leave", aliases: ["decline"],
        help: "Leaves a promise, or declines an invitation.")
    /// Continues to share my location.
    public static let share = Command<PromiseReference, PromiseDetail>(
        .action, "promise", "share",
        help: "Shows others where you are again, after a stop or a restart.")
    /// Stops sharing my location.
    public static let stop = Command<PromiseReference, PromiseDetail>(
        .action, "promise", "stop",
        help:
            "Stops showing where you are and recording your arrival; others forget your location.",
        topics: [
            .text(
                .privacy,
                "Those who take part in a promise see your location from half an hour before."),
            .example(
                .privacy, command: "waggle promise stop 77aa02",
                effect: "stops showing where you are"),
        ])
    /// Lists promises.
    public static let list = Command<ListPromises, PromiseList>(
        .query, "promise", "list",
        help: "Lists the upcoming promises, or past ones page by page.")
    /// Shows a promise.
    public static let show = Command<PromiseReference, PromiseDetail>(
        .query, "promise", "show", help: "Shows a promise, and where everyone is.")
    /// Shows the promise that a calendar file would make.
    public static let draft = Command<ReadPromise, PromiseDraft>(
        .query, "promise", "draft",
        help: "Shows the promise that a calendar file (.ics) describes, without making it.")
    /// Writes promises for other programs.
    public static let export = Command<ExportPromise, SavedFile>(
        .action, "promise", "export",
        help: "Writes a promise, or all upcoming ones, for your calendar (.ics) or a map "
            + "(.geojson).",
        topics: [
            .example(
                .people, command: "waggle promise export Dinner --ics dinner.ics",
                effect: "writes the promise as an event that your calendar opens")
        ])
    /// Shows today's promises.
    public static let today = Command<NoParameters, PromisesToday>(
        .query, "promise", "today", help: "Shows today's promises and the next one.",
        topics: [
            .example(
                .scripts, command: "waggle promise today --follow",
                effect: "one line for a panel applet, and a new one whenever it changes")
        ])
    /// Shows the arrivals.
    public static let result = Command<PromiseReference, PromiseResult>(
        .query, "promise", "result", help: "Shows arrivals in order.")
    /// Shows debts and titles.
    public static let ledger = Command<NoParameters, PromiseLedger>(
        .query, "promise", "ledger",
        help: "Shows who owes how many potatoes, and how well promises are kept.")

    /// Returns an example of a time on the command line.
    private static func time(_ words: String, _ effect: String) -> HelpTopicPart {
        .example(
            .times, command: "waggle promise edit 77aa02 --at \(words)", effect: effect)
    }
}
