public import Contract

/// The request of `waggle init`.
public struct Initialise: CommandRequest {
    /// Whether to bring a person back by their recovery words instead of creating one.
    public var recover: Bool?
    /// The code that another device of the person shows, or the line of its QR code, to become
    /// another device of theirs.
    public var join: Text<1, 512>?
    /// The address of the device that shows the code; nil to look for it nearby.
    public var address: NetworkAddress?
    /// The file with the words. If nil, they are read from the terminal or the standard input: on
    /// the command line, other users of the computer could read them.
    public var words: FilePath?
    /// The person's whole key, if the words alone are not enough.
    public var person: Key?

    /// The help of each property.
    public static let help = [
        "recover": "Whether to bring your identity back by its recovery words.",
        "join": "The code that 'waggle device add' shows on your other device.",
        "address": "The other device's host:port; by default it is looked for nearby.",
        "words": "The file with the nine words; by default they are asked for.",
        "person": "Your whole key, if your words are older than the check that needs no key.",
    ]
}

/// The request of `waggle node`.
public struct RunNode: CommandRequest {
    /// The TCP port for other nodes; any if nil or 0.
    public var listenPort: PortNumber?
    /// Patterns of network interfaces to leave out, besides the usual ones.
    public var interfacesIgnore: [String]?
    /// Whether to find people by Avahi; yes if nil.
    public var avahi: Bool?
    /// Whether to show notices on the desktop; yes if nil.
    public var notifications: Bool?
    /// Whether to log every step.
    public var verbose: Bool?

    /// The help of each property.
    public static let help = [
        "listenPort": "The TCP port for other devices; any free one by default.",
        "interfacesIgnore": "Network interfaces to leave out, as patterns like 'docker*'.",
        "avahi": "Whether to find people by Avahi; yes by default.",
        "notifications": "Whether to show notifications on your desktop; yes by default.",
        "verbose": "Whether to log every step.",
    ]
}

/// The request of `waggle practice`.
public struct Practise: CommandRequest {
    /// Whether to end when the standard input ends, and so with the program that holds it.
    public var attached: Bool?

    /// The help of each property.
    public static let help = [
        "attached": "Whether to end when the standard input ends; for programs."
    ]
}

/// The request of `waggle doctor`.
public struct Diagnose: CommandRequest {
    /// The TCP port that a node would listen on.
    public var listenPort: PortNumber?

    /// The help of each property.
    public static let help = [
        "listenPort": "The TCP port to check while Waggle is not running."
    ]
}

/// The request of `waggle watch`.
public struct Watch: CommandRequest {
    /// The topics to print; all if nil.
    public var topics: [String]?

    /// The help of each property.
    public static let help = ["topics": "Only these topics."]
    /// The properties read by position.
    public static let positional = ["topics"]
}

/// One line of `waggle watch`.
public struct WatchedEvent: Codable, Hashable, Sendable {
    /// The topic under which something changed.
    public var topic: String
    /// The value that came with the event, if any.
    public var payload: JSONValue?

    /// Creates the value.
    public init(topic: String, payload: JSONValue?) {
        self.topic = topic
        self.payload = payload
    }
}

/// The request of `waggle backup`.
public struct MakeBackup: CommandRequest {
    /// The path of the backup, at which there is no file yet.
    public var file: FilePath

    /// The help of each property.
    public static let help = ["file": "The file to create."]
    /// The properties read by position.
    public static let positional = ["file"]
}

/// The request of `waggle restore`.
public struct RestoreHome: CommandRequest {
    /// The path of the backup.
    public var file: FilePath

    /// The help of each property.
    public static let help = ["file": "The backup."]
    /// The properties read by position.
    public static let positional = ["file"]
}

/// The request of `waggle export`.
public struct MakeExport: CommandRequest {
    /// The path of the export, at which there is no file yet; the standard output if nil.
    public var file: FilePath?

    /// The help of each property.
    public static let help = ["file": "The file to create."]
    /// The properties read by position.
    public static let positional = ["file"]
}

/// The request of `waggle completion`.
public struct MakeCompletion: CommandRequest {
    /// The shell that reads the script.
    public var shell: Shell

    /// The help of each property.
    public static let help = ["shell": "The shell."]
    /// The properties read by position.
    public static let positional = ["shell"]
}

/// The request of `waggle help`.
public struct ShowHelp: CommandRequest {
    /// The words of a command, or a topic; all commands if nil.
    public var command: [String]?

    /// The help of each property.
    public static let help = ["command": "The command's words, or a topic."]
    /// The properties read by position.
    public static let positional = ["command"]
}
