/// Limits on everything that crosses the local API, with their units.
public enum APILimits {
    /// The longest request body the node reads, in bytes.
    public static let bodyBytesMax = 256 * 1024
    /// The longest answer a client reads, in bytes.
    public static let answerBytesMax = 16 * 1024 * 1024
    /// The longest query string the node reads, in bytes.
    public static let queryBytesMax = 16 * 1024
    /// The maximum depth of nested arrays and objects.
    public static let nestingMax = 64
    /// The longest line of an event stream, in bytes.
    public static let eventLineBytesMax = 1024 * 1024
    /// The maximum number of events that wait for a client that reads slowly. Then the oldest are
    /// dropped.
    public static let eventsWaitingMax = 256
    /// The maximum number of programs connected at once.
    public static let connectionsMax = 128
    /// The maximum number of them that may follow events, so that commands always get a connection.
    public static let eventStreamsMax = 64
    /// The maximum number of acting requests with an id whose answers the node remembers.
    public static let requestsRememberedMax = 256
    /// The maximum length of the remembered requests and answers together, in bytes.
    public static let requestsRememberedBytesMax = 4 * 1024 * 1024
    /// The time for which the node remembers the answer of a request with an id.
    public static let requestsRememberedFor = Duration.seconds(600)
    /// The longest path of a Unix socket, in bytes. `sun_path` has 108 bytes on Linux and 104 on
    /// other systems; this length fits in both, with a zero at its end.
    public static let socketPathBytesMax = 103
}
