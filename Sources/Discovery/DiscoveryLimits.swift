/// The limits of discovery, with their units. Received announcements come from anyone on the
/// network.
public enum DiscoveryLimits {
    /// The total length of the strings of one announcement with their length bytes, in bytes.
    /// DNS-SD recommends this size so that an answer fits one packet.
    public static let textBytesMax = 400
    /// The number of strings in one announcement, including unknown ones.
    public static let textStringsMax = 16
    /// The length of one string of an announcement, in bytes; it is sent in one byte.
    public static let textStringBytesMax = 255
    /// The number of announcements kept at a time, which bounds a flood of false ones.
    public static let sightingsMax = 1024
    /// The number of addresses kept for one announcement.
    public static let addressesMax = 16
    /// The number of open questions to the daemon, which refuses more than 1024 objects per client.
    public static let openQuestionsMax = 512
    /// The number of announcements waiting for an open question, over all interfaces.
    public static let waitingQuestionsMax = 4096
    /// The number of network interfaces on which one node announces.
    public static let interfacesMax = 32
}
