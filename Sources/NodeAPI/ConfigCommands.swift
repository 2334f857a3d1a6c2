public import Contract

/// The commands of the settings: choices of this device's person, each a name and a value.
///
/// ```swift
/// let name = try SettingName("notifications.level")
/// let level = try await node.call(ConfigCommands.get, SettingReference(name: name)).value.string
/// ```
public enum ConfigCommands {
    /// Lists the settings.
    public static let list = Command<NoParameters, SettingList>(
        .query, "config", "list", help: "Lists the settings and their possible values.")
    /// Shows a setting.
    public static let get = Command<SettingReference, Setting>(
        .query, "config", "get", help: "Shows a setting.")
    /// Changes a setting.
    public static let set = Command<ChangeSetting, Setting>(
        .action, "config", "set", help: "Changes a setting.",
        topics: [
            .example(
                .privacy, command: "waggle config set notifications.level names",
                effect: "keeps texts out of the notifications on your desktop"),
            .example(
                .people, command: "waggle config set calendar.file ~/mine.ics",
                effect: "keeps that file up to date, so that your calendar can subscribe to it"),
        ])
}

/// The name of a setting, such as `notifications.level`.
public typealias SettingName = Text<1, 64>
/// The value of a setting; the longest are paths of files.
public typealias SettingValue = Text<1, 1024>

/// A setting, named.
public struct SettingReference: CommandRequest {
    /// The name.
    public var name: SettingName

    /// Creates the value.
    public init(name: SettingName) { self.name = name }

    /// The help of each property.
    public static let help = ["name": "The name, as 'config list' shows it."]
    /// The properties read by position.
    public static let positional = ["name"]
}

/// The request of `config set`.
public struct ChangeSetting: CommandRequest {
    /// The name.
    public var name: SettingName
    /// The new value.
    public var value: SettingValue

    /// Creates the value.
    public init(name: SettingName, value: SettingValue) {
        self.name = name
        self.value = value
    }

    /// The help of each property.
    public static let help = [
        "name": "The name, as 'config list' shows it.",
        "value": "The new value, or 'default' for the original one.",
    ]
    /// The properties read by position.
    public static let positional = ["name", "value"]
}

/// A setting with its value.
public struct Setting: Codable, Hashable, Sendable {
    /// The name.
    public var name: SettingName.Shown
    /// The value.
    public var value: SettingValue.Shown
    /// The values that it may have, as the rest of a sentence.
    public var allowed: ShownSentence
    /// The words that it may be; empty if its values are no list of words.
    public var choices: [SettingValue.Shown]
    /// Whether its value is the path of a file.
    public var isFile: Bool
    /// The effect of the setting.
    public var help: ShownSentence

    /// Creates the value.
    public init(
        name: String, value: String, allowed: Sentence, choices: [String] = [],
        isFile: Bool = false, help: Sentence
    ) {
        self.name = SettingName.Shown(clipping: name)
        self.value = SettingValue.Shown(clipping: value)
        self.allowed = ShownSentence(allowed)
        self.choices = choices.map(SettingValue.Shown.init(clipping:))
        self.isFile = isFile
        self.help = ShownSentence(help)
    }
}

/// The answer of `config list`.
public struct SettingList: Codable, Hashable, Sendable {
    /// The settings, those of one subject together.
    public var settings: [Setting]

    /// Creates the value.
    public init(settings: [Setting]) { self.settings = settings }
}

/// The event of the settings.
public enum ConfigEvents {
    /// A setting changed.
    public static let changed = Event<ConfigChange>("config", help: "A setting changed.")
}

/// The body of ``ConfigEvents/changed``.
public struct ConfigChange: EventBody {
    /// The name of the setting; nil if any may have changed.
    public var name: SettingName.Shown?

    /// Creates the value.
    public init(name: String? = nil) { self.name = name.map(SettingName.Shown.init(clipping:)) }

    /// The setting by its name.
    public func sentence(_ names: EventNames) -> Sentence? {
        name.map { "The setting \($0) changed." }
    }
}
