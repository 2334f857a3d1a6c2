/// The times of a drop.
public enum DropTimes {
    /// How long the other is looked for after a press.
    public static let find = Duration.seconds(30)
    /// How long the exchange of cards may take.
    public static let exchange = Duration.seconds(30)
    /// How long there is to accept; no answer is a refusal.
    public static let decide = Duration.seconds(60)
    /// How often what is not acknowledged is sent again.
    public static let resend = Duration.seconds(1)
    /// How often the time is looked at while nothing goes on.
    public static let rest = Duration.seconds(60)
    /// After this long without a word from the other, it counts as gone.
    public static let silence = Duration.seconds(15)
    /// How long an invitation stands after it was last heard; it is repeated every second.
    public static let invitation = Duration.seconds(3)
    /// How long an answer is repeated to somebody who has not said that they saw it.
    public static let farewell = Duration.seconds(10)
}

/// The bounds on what arrives.
public enum DropLimits {
    /// An encoded card, in bytes.
    public static let cardBytesMax = 4096
    /// Fields in a card.
    public static let cardFieldsMax = 16
    /// Invitations remembered at once; the oldest makes room.
    public static let invitationsMax = 16
}
