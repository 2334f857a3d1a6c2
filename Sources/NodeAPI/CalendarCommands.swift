public import Contract

/// The command for the calendar of all appointments.
public enum CalendarCommands {
    /// Writes the appointments to come.
    public static let save = Command<SaveCalendar, SavedFile>(
        .action, "calendar", "run",
        help: "Writes the upcoming promises and walks to a file for your calendar (.ics).",
        topics: [
            .example(
                .people, command: "waggle calendar mine.ics",
                effect: "writes everything upcoming, for your calendar")
        ])
}

/// The request of `calendar run`.
public struct SaveCalendar: CommandRequest {
    /// The calendar file to create.
    public var file: FilePath

    /// Creates the value.
    public init(file: FilePath) { self.file = file }

    /// The help of each property.
    public static let help = ["file": "The calendar file to create."]
    /// The properties read by position.
    public static let positional = ["file"]
}
