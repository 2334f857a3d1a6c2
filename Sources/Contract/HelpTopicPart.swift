/// A topic of `waggle help`, which concerns several commands.
public enum HelpTopicName: String, CaseIterable, Sendable {
    /// The first commands of a new person.
    case start
    /// The names of people and of other things.
    case people
    /// The forms of a time.
    case times
    /// The people who see something of this person.
    case privacy
    /// The use by programs.
    case scripts
}

/// A command's part of a topic of `waggle help`. The topic shows it if the command is part of the
/// build, so help never names a plugin that is not there.
public enum HelpTopicPart: Hashable, Sendable {
    /// Sentences that follow the topic's own, in lines of at most 80 columns.
    case text(HelpTopicName, String)
    /// A call of the command as it is typed, and its effect.
    case example(HelpTopicName, command: String, effect: String)
}
