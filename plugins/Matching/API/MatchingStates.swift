public import Contract

/// My state in matching.
public enum MatchingState: String, OpenChoice {
    /// I do not look.
    case idle
    /// I look for people.
    case seeking
    /// I accepted a request, and the other side has 60 s to confirm.
    case accepted
    /// I confirmed an acceptance, and the other side's fact has not arrived.
    case confirming
    /// A match stands.
    case matched
    /// A state of a newer node.
    case unknown
}

/// The one action that a page offers.
public enum MatchingAction: String, OpenChoice {
    /// `matching look`.
    case look
    /// `matching stop`.
    case stop
    /// Opens the chat of the match.
    case openChat
    /// An action of a newer node.
    case unknown
}

/// The relation between me and a person who looks.
public enum MatchingPersonState: String, OpenChoice {
    /// Nothing: I can ask them.
    case free
    /// I asked them.
    case requested
    /// They asked me.
    case asking
    /// They accepted, and I am committed to another person meanwhile.
    case offering
    /// I accepted their request.
    case accepted
    /// My fact is stored, theirs is not here.
    case confirming
    /// Our match stands.
    case matched
    /// They have stopped looking. I asked them before, and can still read their answer.
    case gone
    /// A state of a newer node.
    case unknown
}

/// A person's gender, as far as they say it.
public enum MatchingGender: String, Choice { case female, male, other }

/// An optional field of my matching card.
public enum MatchingCardField: String, Choice { case age, gender }

/// A mark in a review.
public enum ReviewMark: String, Choice {
    /// Has good manners.
    case manners
    /// Came on time.
    case punctual
    /// Replied quickly.
    case quick
    /// Was kind.
    case kindness
    /// Knows a lot.
    case skilled
    /// Was useful.
    case useful

    /// The mark in words.
    public var name: Sentence {
        switch self {
        case .manners: "good manners"
        case .punctual: "punctual"
        case .quick: "quick reply"
        case .kindness: "a kind person"
        case .skilled: "skilled"
        case .useful: "useful"
        }
    }
}

/// A person's age in matching, in years.
public typealias MatchingAge = Whole<17, 99>
/// An end of the range of ages that I look for, in years.
public typealias FilterAge = Whole<18, 65>
/// The text of a review.
public typealias ReviewText = Lines<1, 300>
