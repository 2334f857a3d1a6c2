/// The times of requests and acceptances.
enum MatchTimes {
    /// The time after which an acceptance without a confirmation lapses.
    static let acceptance = Duration.seconds(60)
    /// The time after which my fact ends if the other person's has not arrived. They lose their
    /// acceptance before that, unless they have stored their fact.
    static let confirmation = acceptance * 2
    /// The interval at which requests, and confirmations without an answer, are sent again.
    static let resend = Duration.seconds(5)
    /// The time after which a request that is not repeated is forgotten.
    static let silence = Duration.seconds(20)
    /// The interval between two checks of the clock while something is under way.
    static let tick = Duration.seconds(1)
}

/// The number of people that one side remembers. A request beyond them is refused or ignored.
enum MatchLimits {
    /// My requests at once.
    static let requestsMax = 8
    /// The people whose requests are remembered.
    static let askedMax = 16
    /// The acceptances that wait until an earlier one is decided.
    static let offersMax = 8
    /// The refused requests, and the answers to mine, that are remembered.
    static let rememberedMax = 32
    /// The ends of matches that are remembered in the session.
    static let endedMax = 64
}
