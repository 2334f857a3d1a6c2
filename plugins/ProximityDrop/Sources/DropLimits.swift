/// The times of a drop besides those of its phases.
public enum DropTimes {
    /// The interval at which unacknowledged messages are sent again.
    public static let resend = Duration.seconds(1)
    /// The interval between ticks while the session is quiet.
    public static let rest = Duration.seconds(60)
    /// The time without a message from the other side after which it counts as gone.
    public static let silence = Duration.seconds(15)
    /// The time for which an invitation is valid after it was last received; it is repeated every
    /// second.
    public static let invitation = Duration.seconds(3)
    /// The shortest time between two reports of who invites this side.
    public static let report = Duration.seconds(1)
    /// The time for which an answer is repeated to a peer that has not acknowledged it.
    public static let farewell = Duration.seconds(10)
}

/// The limits on everything that arrives.
public enum DropLimits {
    /// The length of an encoded card, in bytes.
    public static let cardBytesMax = 4096
    /// The number of fields in a card.
    public static let cardFieldsMax = 16
    /// The length of the thumbnail of a photo, in bytes.
    public static let thumbnailBytesMax = 8 * 1024
    /// The number of invitations remembered at once; a new one replaces the oldest.
    public static let invitationsMax = 16
}
