/// The bounds of the notices on the desktop.
public enum NoticeLimits {
    /// The number of notices that one person may cause at once.
    public static let perPersonAtOnceMax = 4
    /// The time after which one person may cause one more.
    public static let perPersonInterval = Duration.seconds(15)
    /// The number of notices at once.
    public static let atOnceMax = 12
    /// The time after which there may be one more.
    public static let interval = Duration.seconds(5)
    /// The time between two looks at the clock while quiet hours hold something back.
    public static let quietInterval = Duration.seconds(60)
    /// The time before a notice is shown. What is handled meanwhile is never shown: a message in
    /// the room that is open in the window.
    public static let settling = Duration.seconds(1)
    /// The time between two changes of the summary.
    public static let summaryInterval = Duration.seconds(60)
    /// The number of open subjects that are remembered; the oldest is dropped for a new one.
    public static let subjectsCountMax = 128
    /// The number of notices that wait for the desktop's server; the oldest is dropped.
    public static let waitingCountMax = 16
    /// The first line, in characters.
    public static let titleCharactersMax = 80
    /// The text below, in characters.
    public static let bodyCharactersMax = 200
    /// The word on a button, in characters.
    public static let labelCharactersMax = 20
}
