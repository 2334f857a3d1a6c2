/// Limits on everything that crosses the local API, beside their units.
public enum APILimits {
    /// The longest request body the node reads, in bytes.
    public static let bodyBytesMax = 256 * 1024
    /// The longest answer a client reads, in bytes.
    public static let answerBytesMax = 16 * 1024 * 1024
    /// The longest query string the node reads, in bytes.
    public static let queryBytesMax = 16 * 1024
    /// How deep arrays and objects may nest.
    public static let nestingMax = 64
    /// The longest line of an event stream, in bytes.
    public static let eventLineBytesMax = 1024 * 1024
    /// How many events wait for a client that reads slowly, before the oldest are dropped.
    public static let eventsWaitingMax = 256
    /// How many programs may be connected at once.
    public static let connectionsMax = 128
    /// How many of them may listen to events, so that commands always get through.
    public static let eventStreamsMax = 64
    /// The longest path of a Unix socket, in bytes. `sun_path` has 108 bytes on Linux and 104 on
    /// other systems; the server takes what fits everywhere, with a zero at its end.
    public static let socketPathBytesMax = 103
}
