/// Every bound of discovery, beside its unit. What arrives here was sent by anybody on the network.
public enum DiscoveryLimits {
    /// All strings of one announcement together with their length bytes, in bytes: the size that
    /// the DNS-SD specification recommends, so that an answer fits one packet.
    public static let textBytesMax = 400
    /// Strings in one announcement, unknown ones included.
    public static let textStringsMax = 16
    /// One string of an announcement, in bytes; its length is sent in one byte.
    public static let textStringBytesMax = 255
    /// One announced name, in bytes of UTF-8. A longer name is announced cut at a whole character.
    public static let nameBytesMax = 96
    /// A nickname, in characters as a person counts them. The lower bound of the profile (2) is
    /// not asked of an announced name, which may be a cut one.
    public static let nicknameCharactersMax = 8
    /// A dog name, in characters as a person counts them.
    public static let dogNameCharactersMax = 15
    /// Announcements kept at a time; a flood of false ones ends here.
    public static let sightingsMax = 1024
    /// Addresses kept of one announcement.
    public static let addressesMax = 16
    /// Questions kept open with the daemon, which refuses a client more than 1024 objects.
    public static let openQuestionsMax = 512
    /// Announcements that wait for a question to become free, over all interfaces.
    public static let waitingQuestionsMax = 4096
    /// Network interfaces on which one node announces.
    public static let interfacesMax = 32
}
