public import Contract

/// The answer of `interests show` and of every action. A property that is not known is absent.
public struct InterestsStatus: Codable, Hashable, Sendable {
    /// My interests; none before I have chosen.
    public var chosen: [NamedInterest]
    /// Whether I look for people with the same interests.
    public var looking: Bool
    /// The number of seconds until looking ends by itself.
    public var secondsLeft: Count?
    /// The number of other people nearby who look; absent while I do not.
    public var lookingCount: Count?
    /// The person who shares most interests with me.
    public var match: Match?

    /// Creates the value.
    public init(
        chosen: [Interest], secondsLeft: Int? = nil, lookingCount: Int? = nil, match: Match? = nil
    ) {
        self.chosen = chosen.map { NamedInterest($0) }
        looking = secondsLeft != nil
        self.secondsLeft = secondsLeft.map { Count(clamping: $0) }
        self.lookingCount = lookingCount.map { Count(clamping: $0) }
        self.match = match
    }

    /// The person nearby who shares most interests with me.
    public struct Match: Codable, Hashable, Sendable {
        /// The device, once it is linked.
        public var device: Key?
        /// The tag that the device announces.
        public var tag: AnnouncedTag?
        /// The name, if they are known or show it to everyone.
        public var name: ShownNickname?
        /// Whether they are a mate, whose profile I have already.
        public var mate: Bool
        /// The interests that both have.
        public var common: [NamedInterest]
        /// A question to begin a talk with; the same on both sides.
        public var topic: ShownSentence?
        /// The time since which they have been the match.
        public var sinceMs: Timestamp
        /// Their distance in metres.
        public var distanceMetres: DistanceMetres?
        /// The beat that shows how near they are and how much is shared.
        public var pulse: Pulse

        /// Creates the value.
        public init(
            device: Key? = nil, tag: AnnouncedTag? = nil, name: String? = nil,
            isMate: Bool = false, common: [Interest], sinceMs: Timestamp,
            distanceMetres: Double? = nil
        ) {
            self.device = device
            self.tag = tag
            self.name = name.map(ShownNickname.init(clipping:))
            mate = isMate
            self.common = common.map { NamedInterest($0) }
            topic = Interest.openers(for: common).first.map { ShownSentence($0) }
            self.sinceMs = sinceMs
            self.distanceMetres = distanceMetres.map(DistanceMetres.init(clamping:))
            pulse = Pulse(commonCount: common.count, distanceMetres: distanceMetres)
        }
    }
}

/// An interest with its name.
public struct NamedInterest: Codable, Hashable, Sendable {
    /// The word that commands read.
    public var interest: InterestWord
    /// Its name.
    public var name: ShownSentence

    /// Names an interest.
    public init(_ interest: Interest) {
        self.interest = InterestWord(interest)
        name = ShownSentence(interest.name)
    }
}
