public import Contract

/// The answer of `promise result`.
public struct PromiseResult: Codable, Hashable, Sendable {
    /// The promise's id.
    public var id: Key
    /// The title.
    public var title: PromiseTitleText.Shown
    /// The time to be there.
    public var atMs: Timestamp
    /// Its phase.
    public var phase: PromisePhase
    /// Whether the promise is past, so that nothing changes any more.
    public var isFinal: Bool
    /// The participants who arrived, in order, then the others, by name.
    public var people: [Person]

    /// Creates the value.
    public init(
        id: Key, title: String, atMs: Timestamp, phase: PromisePhase, isFinal: Bool,
        people: [Person]
    ) {
        self.id = id
        self.title = PromiseTitleText.Shown(clipping: title)
        self.atMs = atMs
        self.phase = phase
        self.isFinal = isFinal
        self.people = people
    }

    /// A participant.
    public struct Person: Codable, Hashable, Sendable {
        /// The person.
        public var person: Key
        /// Their name.
        public var name: PersonName
        /// Their rank in the order of arrival, from 1.
        public var rank: Ordinal?
        /// Their medal.
        public var medal: PromiseMedal?
        /// Their lateness.
        public var lateness: PromiseLateness
        /// The same for a reader, as in "4 min early".
        public var latenessText: LatenessText
        /// Seconds from their arrival to the time, negative after it; nil without an arrival.
        public var earlySeconds: EarlySeconds?
        /// The time they arrived, as their device says.
        public var arrivedMs: Timestamp?
        /// Their debt for this promise, in potatoes.
        public var owes: Count

        /// Creates the value.
        public init(
            person: Key, name: String, rank: Int? = nil, medal: PromiseMedal? = nil,
            lateness: PromiseLateness, latenessText: Sentence, earlySeconds: Int? = nil,
            arrivedMs: Timestamp? = nil, owes: Int
        ) {
            self.person = person
            self.name = PersonName(clipping: name)
            self.rank = rank.map { Ordinal(clamping: $0) }
            self.medal = medal
            self.lateness = lateness
            self.latenessText = LatenessText(latenessText)
            self.earlySeconds = earlySeconds.map(EarlySeconds.init(clamping:))
            self.arrivedMs = arrivedMs
            self.owes = Count(clamping: owes)
        }
    }
}

extension PromiseResult.Person: DetailMembers {
    /// Members that the lateness in words tells too, and the key.
    public static let detailMembers = ["lateness", "earlySeconds", "person"]
}

/// The answer of `promise ledger`.
public struct PromiseLedger: Codable, Hashable, Sendable {
    /// Everybody with whom I promised something, by name.
    public var people: [Person]
    /// The newest debts, newest promise first.
    public var debts: [Debt]

    /// Creates the value.
    public init(people: [Person], debts: [Debt]) {
        self.people = people
        self.debts = debts
    }

    /// A person's balance and how well they keep promises.
    public struct Person: Codable, Hashable, Sendable {
        /// The person.
        public var person: Key
        /// Their name.
        public var name: PersonName
        /// Whether it is me.
        public var me: Bool
        /// Their debt in all, in potatoes.
        public var owes: Count
        /// The number of their promises that are past.
        public var past: Count
        /// The number of those to which they came late or not at all.
        public var late: Count
        /// Promises kept, of 100; nil before the first is past.
        public var keptPercent: Percent?
        /// The title for that.
        public var title: PromiseTitle

        /// Creates the value.
        public init(
            person: Key, name: String, me: Bool, owes: Int, past: Int, late: Int,
            keptPercent: Double? = nil, title: PromiseTitle
        ) {
            self.person = person
            self.name = PersonName(clipping: name)
            self.me = me
            self.owes = Count(clamping: owes)
            self.past = Count(clamping: past)
            self.late = Count(clamping: late)
            self.keptPercent = keptPercent.map { Percent(clamping: $0) }
            self.title = title
        }
    }

    /// One penalty.
    public struct Debt: Codable, Hashable, Sendable {
        /// The promise.
        public var promise: Key
        /// The title.
        public var title: PromiseTitleText.Shown
        /// Its time.
        public var atMs: Timestamp
        /// The person who owes.
        public var person: Key
        /// Their name.
        public var name: PersonName
        /// The debt, in potatoes.
        public var potatoes: Count
        /// The same in one line, as in "Mina owes you 500 potatoes for Dinner."
        public var text: LimitedSentence<160>

        /// Creates the value.
        public init(
            promise: Key, title: String, atMs: Timestamp, person: Key, name: String, potatoes: Int,
            text: Sentence
        ) {
            self.promise = promise
            self.title = PromiseTitleText.Shown(clipping: title)
            self.atMs = atMs
            self.person = person
            self.name = PersonName(clipping: name)
            self.potatoes = Count(clamping: potatoes)
            self.text = LimitedSentence(text)
        }
    }
}

extension PromiseLedger.Person: DetailMembers {
    /// The key of a person who is named.
    public static let detailMembers = ["me", "person"]
}
