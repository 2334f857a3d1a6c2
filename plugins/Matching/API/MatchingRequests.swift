public import Contract

private let personHelp = "A person of 'matching people': their name, or six digits of their key."

/// The request of `matching wishes`.
public struct SetWishes: CommandRequest {
    /// All my wishes from now on; anything without them.
    public var wish: WishList?

    /// Creates the value.
    public init(wish: WishList? = nil) { self.wish = wish }

    /// The help of each property.
    public static let help = [
        "wish": "At most 8 words of 1 to 8 characters; without them, anything."
    ]
    /// The properties read by position.
    public static let positional = ["wish"]
}

/// The request of `matching people`.
public struct ListMatchingPeople: CommandRequest {
    /// Whether only people who share a wish are listed.
    public var shared: Bool?

    /// Creates the value.
    public init(shared: Bool? = nil) { self.shared = shared }

    /// The help of each property.
    public static let help = ["shared": "Lists only people who share a wish with you."]
}

/// The request of `matching request`, `accept` and `decline`.
public struct NameMatchingPerson: CommandRequest {
    /// The person.
    public var person: NameOrKey

    /// Names a person.
    public init(person: NameOrKey) { self.person = person }

    /// The help of each property.
    public static let help = ["person": personHelp]
    /// The properties read by position.
    public static let positional = ["person"]
}

/// The request of `matching cancel`.
public struct CancelMatching: CommandRequest {
    /// The person whose request is taken back; nil for my match or acceptance.
    public var person: NameOrKey?

    /// Creates the value.
    public init(person: NameOrKey? = nil) { self.person = person }

    /// The help of each property.
    public static let help = ["person": "The person whom you asked; your match without it."]
    /// The properties read by position.
    public static let positional = ["person"]
}

/// The request of `matching review`.
public struct WriteReview: CommandRequest {
    /// The person of the match; the last match without it.
    public var person: NameOrKey?
    /// The marks.
    public var mark: [ReviewMark]?
    /// The text.
    public var text: ReviewText?

    /// Reviews a match.
    public init(person: NameOrKey? = nil, mark: [ReviewMark]? = nil, text: ReviewText? = nil) {
        self.person = person
        self.mark = mark
        self.text = text
    }

    /// The help of each property.
    public static let help = [
        "person": "The person of the match; your last match without it.",
        "mark": "A mark, which may be repeated with others.",
        "text": "1 to 300 characters.",
    ]
    /// At least a mark or a text.
    public static let memberCountMin = 1
}

/// The request of `matching skip-review`.
public struct SkipReview: CommandRequest {
    /// The person of the match; the last match without it.
    public var person: NameOrKey?

    /// Names the person of a match that is due.
    public init(person: NameOrKey? = nil) { self.person = person }

    /// The help of each property.
    public static let help = ["person": "The person of the match; your last match without it."]
    /// The properties read by position.
    public static let positional = ["person"]
}

/// The request of `matching reviews`.
public struct ListReviews: CommandRequest {
    /// A person who looks, whose shown reviews are listed; mine without it.
    public var person: NameOrKey?

    /// Creates the value.
    public init(person: NameOrKey? = nil) { self.person = person }

    /// The help of each property.
    public static let help = ["person": "A person who looks; your own reviews without it."]
    /// The properties read by position.
    public static let positional = ["person"]
}

/// The request of `matching show`.
public struct ShowReview: CommandRequest {
    /// The review's id; its first six digits are enough.
    public var id: RecordPrefix
    /// Whether it is shown; it is unless this is false.
    public var shown: Bool?

    /// Names a review.
    public init(id: RecordPrefix, shown: Bool? = nil) {
        self.id = id
        self.shown = shown
    }

    /// The help of each property.
    public static let help = [
        "id": "The review's id; six digits are enough.",
        "shown": "Whether to show it; yes by default.",
    ]
    /// The properties read by position.
    public static let positional = ["id"]
}

/// The request of `matching edit-card`.
public struct EditMatchingCard: CommandRequest {
    /// My age from now on.
    public var age: MatchingAge?
    /// My gender from now on.
    public var gender: MatchingGender?
    /// The fields to remove.
    public var without: [MatchingCardField]?

    /// Changes the card.
    public init(
        age: MatchingAge? = nil, gender: MatchingGender? = nil,
        without: [MatchingCardField]? = nil
    ) {
        self.age = age
        self.gender = gender
        self.without = without
    }

    /// The help of each property.
    public static let help = [
        "age": "Your own age, 17 to 99.", "gender": "Your own gender.",
        "without": "A field to remove from the card.",
    ]
    /// At least one change.
    public static let memberCountMin = 1
}

/// The request of `matching edit-filters`.
public struct EditMatchingFilters: CommandRequest {
    /// The gender of the people to list.
    public var gender: MatchingGender?
    /// The lowest age to list.
    public var ageMin: FilterAge?
    /// The highest age to list.
    public var ageMax: FilterAge?
    /// Whether all filters are removed first.
    public var clear: Bool?

    /// Changes the filters.
    public init(
        gender: MatchingGender? = nil, ageMin: FilterAge? = nil, ageMax: FilterAge? = nil,
        clear: Bool? = nil
    ) {
        self.gender = gender
        self.ageMin = ageMin
        self.ageMax = ageMax
        self.clear = clear
    }

    /// The help of each property.
    public static let help = [
        "gender": "Lists only people who give this gender.",
        "ageMin": "Lists only people of this age or older, 18 to 65.",
        "ageMax": "Lists only people of this age or younger, 18 to 65.",
        "clear": "Removes all filters first.",
    ]
    /// At least one change.
    public static let memberCountMin = 1
}
