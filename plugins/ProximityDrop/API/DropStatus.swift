public import Contract

/// The state of this node's drop: the answer of `drop show` and of every action. A property that is
/// not known yet is absent.
public struct DropStatus: Codable, Hashable, Sendable {
    /// The phase of the drop.
    public var phase: DropPhase
    /// The id of the drop, once both sides have pressed.
    public var id: RecordKey?
    /// Whether my card is sent.
    public var share: Bool?
    /// Seconds until the phase times out.
    public var secondsLeft: Count?
    /// Six digits that both sides show.
    public var checkCode: CheckCode?
    /// My answer to the other's card.
    public var myAnswer: Answer?
    /// A sentence that says why the drop ended.
    public var reason: ShownSentence?
    /// True if a person nearby invites me; `peer` is their device.
    public var incoming: Bool?
    /// The other device.
    public var peer: Peer?
    /// The reason of a drop with which two people met who have something in common.
    public var meeting: Meeting?
    /// The person whose device is dialled because it is not linked yet.
    public var reaching: Reaching?
    /// The devices to choose from if several wait for a drop.
    public var candidates: [Peer]?
    /// The drop on another device of mine: one that is on, or one that ended within a minute.
    public var elsewhere: Elsewhere?
    /// Whether two devices can find each other by their distance.
    public var ranged: Ranged

    /// Creates the value.
    public init(
        phase: DropPhase, id: RecordKey? = nil, share: Bool? = nil, secondsLeft: Int? = nil,
        checkCode: CheckCode? = nil, myAnswer: Answer? = nil, reason: Sentence? = nil,
        incoming: Bool? = nil, peer: Peer? = nil, meeting: Meeting? = nil,
        reaching: Reaching? = nil,
        candidates: [Peer]? = nil, elsewhere: Elsewhere? = nil, ranged: Ranged
    ) {
        self.phase = phase
        self.id = id
        self.share = share
        self.secondsLeft = secondsLeft.map { Count(clamping: $0) }
        self.checkCode = checkCode
        self.myAnswer = myAnswer
        self.reason = reason.map(ShownSentence.init(_:))
        self.incoming = incoming
        self.peer = peer
        self.meeting = meeting
        self.reaching = reaching
        self.candidates = candidates
        self.elsewhere = elsewhere
        self.ranged = ranged
    }

    /// The answer of a person to the other's card.
    public enum Answer: String, Choice { case accept, decline }

    /// The other side, or a device to choose.
    public struct Peer: Codable, Hashable, Sendable {
        /// The device.
        public var device: Key
        /// The first digits of the key, which tell devices apart.
        public var suffix: KeySuffix
        /// The fields of the other's card, cut to the profile's limits.
        public var card: ShownProfile?
        /// True if the thumbnail of the other's photo is here.
        public var photo: Bool?

        /// Creates the value.
        public init(
            device: Key, suffix: KeySuffix, card: ProfileFields? = nil, photo: Bool? = nil
        ) {
            self.device = device
            self.suffix = suffix
            self.card = card.map { ShownProfile($0) }
            self.photo = photo
        }
    }

    /// The reason of a drop that another feature began when both people tapped.
    public struct Meeting: Codable, Hashable, Sendable {
        /// A sentence that says what the two have in common.
        public var common: ShownSentence
        /// A question to begin a talk with.
        public var topic: ShownSentence?

        /// Creates the value.
        public init(common: Sentence, topic: Sentence? = nil) {
            self.common = ShownSentence(common)
            self.topic = topic.map { ShownSentence($0) }
        }
    }

    /// A person whose device is announced and not linked yet.
    public struct Reaching: Codable, Hashable, Sendable {
        /// The tag that it announces.
        public var tag: AnnouncedTag
        /// The name that it announces.
        public var name: ShownNickname?
        /// The reason why the last attempt failed.
        public var trouble: ConnectionTrouble?

        /// Creates the value.
        public init(tag: AnnouncedTag, name: String?, trouble: ConnectionTrouble? = nil) {
            self.tag = tag
            self.name = name.map(ShownNickname.init(clipping:))
            self.trouble = trouble
        }
    }

    /// A drop on another device of mine.
    public struct Elsewhere: Codable, Hashable, Sendable {
        /// The device.
        public var device: Key
        /// The first digits of the key, which tell devices apart.
        public var suffix: KeySuffix
        /// The phase of the drop.
        public var phase: DropPhase
        /// Seconds until the phase times out, while the drop is on.
        public var secondsLeft: Count?
        /// The name of the other person, if I know them.
        public var name: ShownNickname?

        /// Creates the value.
        public init(
            device: Key, suffix: KeySuffix, phase: DropPhase, secondsLeft: Int? = nil,
            name: String? = nil
        ) {
            self.device = device
            self.suffix = suffix
            self.phase = phase
            self.secondsLeft = secondsLeft.map { Count(clamping: $0) }
            self.name = name.map(ShownNickname.init(clipping:))
        }
    }

    /// Whether a provider measures distances, and what a ranged drop waits for. A location on a map
    /// never counts as a measured distance.
    public struct Ranged: Codable, Hashable, Sendable {
        /// Whether there is one.
        public var available: Bool
        /// A sentence that says why there is none.
        public var reason: ShownSentence?
        /// A sentence that says what to do, while a ranged drop looks for the other device.
        public var advice: ShownSentence?

        /// Creates the value.
        public init(available: Bool, reason: Sentence? = nil, advice: Sentence? = nil) {
            self.available = available
            self.reason = reason.map(ShownSentence.init(_:))
            self.advice = advice.map(ShownSentence.init(_:))
        }
    }
}
