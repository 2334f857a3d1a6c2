public import Contract

/// The event of this person's profile.
public enum ProfileEvents {
    /// The profile changed.
    public static let changed = Event<ProfileChange>("me", help: "Your profile changed.")
}

/// The body of ``ProfileEvents/changed``.
public struct ProfileChange: EventBody {
    /// Creates the value.
    public init() {}
}

/// The event of mates. A panel makes it repeat a query, or reads the body itself:
///
/// ```swift
/// queries = StaleQueries<Query>(.after(MateEvents.changed, .list) { $0.concernsNames }) { … }
/// if let change = event.body(of: MateEvents.changed), change.concernsNames { … }
/// ```
public enum MateEvents {
    /// A mate changed, or a person whose answer I await.
    public static let changed = Event<MateChange>(
        "mates", help: "A mate changed, or a person whose answer you await.")
}

/// The body of ``MateEvents/changed``.
public struct MateChange: EventBody {
    /// A part of the answer of `mates list`.
    public enum Part: String, OpenChoice {
        /// The person's relation to me, blocks included.
        case relation
        /// The fields of their profile.
        case profile
        /// My own nickname for them.
        case ownNickname
        /// Whether a device of theirs is linked.
        case presence
        /// A part that a newer node added.
        case unknown
    }

    /// The person; nil if any may have changed.
    public var person: Key?
    /// The part that changed; nil if any may have.
    public var part: Part?

    /// Creates the value.
    public init(person: Key? = nil, part: Part? = nil) {
        self.person = person
        self.part = part
    }

    /// The change in words.
    public func sentence(_ names: EventNames) -> Sentence? {
        let name = names.person(person, else: "Someone")
        return switch part {
        case .relation: "\(name): your mateship or a block changed."
        case .profile: "\(name) changed their profile."
        case .ownNickname: "A nickname that you gave to a mate changed."
        case .presence: "\(name) came or left."
        case .unknown, nil: nil
        }
    }

    /// Whether the relation, the profile or the nickname may have changed: who is shown, under
    /// which name.
    public var concernsNames: Bool { part != .presence }
}

/// The event of walk requests.
public enum WalkEvents {
    /// A walk request changed.
    public static let changed = Event<WalkChange>("walk", help: "A walk request changed.")
}

/// The body of ``WalkEvents/changed``.
public struct WalkChange: EventBody {
    /// The request; nil if any may have changed.
    public var id: RecordKey?
    /// The other person of all requests that may have changed; nil if any may have.
    public var person: Key?

    /// Creates the value.
    public init(id: RecordKey? = nil, person: Key? = nil) {
        self.id = id
        self.person = person
    }

    /// The change in words.
    public func sentence(_ names: EventNames) -> Sentence? {
        person.map { "A walk request with \(names.person($0, else: "someone")) changed." }
    }
}

/// The event of the inbox.
public enum InboxEvents {
    /// Items of the inbox changed.
    public static let changed = Event<InboxChange>("inbox", help: "Items of the inbox changed.")
}

/// The body of ``InboxEvents/changed``.
public struct InboxChange: EventBody {
    /// The kinds of the items that changed; nil if items of any kind may have.
    public var kinds: [InboxKind]?

    /// Creates the value.
    public init(kinds: [InboxKind]? = nil) { self.kinds = kinds }
}

/// The event of groups.
public enum GroupEvents {
    /// A group changed.
    public static let changed = Event<GroupChange>("group", help: "A group changed.")
}

/// The body of ``GroupEvents/changed``.
public struct GroupChange: EventBody {
    /// A part of a group.
    public enum Part: String, OpenChoice {
        /// An invitation to it, or the notice of a removal.
        case notices
        /// Its members, and their roles.
        case members
        /// Its name, and the names that members use in it.
        case names
        /// Its notes.
        case notes
        /// A part that a newer node added.
        case unknown
    }

    /// The group's id; nil if any may have changed.
    public var group: Key?
    /// The part that changed; nil if any may have.
    public var part: Part?

    /// Creates the value.
    public init(group: Key? = nil, part: Part? = nil) {
        self.group = group
        self.part = part
    }

    /// The change in words.
    public func sentence(_ names: EventNames) -> Sentence? {
        switch part {
        case .notices: "You were invited to a group, or removed from one."
        case .members: "The members of a group changed."
        case .names: "The name of a group changed, or a name in it."
        case .notes: "The notes of a group changed."
        case .unknown, nil: nil
        }
    }
}

/// The event of locations.
public enum LocationEvents {
    /// This device's location, or the one that a mate shows, changed.
    public static let changed = Event<LocationChange>(
        "location", help: "This device's location changed, or the one that a mate shows.")
}

/// The body of ``LocationEvents/changed``.
public struct LocationChange: EventBody {
    /// The person whose location changed; nil if it may be anyone's.
    public var person: Key?
    /// Whether it is this person's location; nil if it may be.
    public var me: Bool?

    /// Creates the value.
    public init(person: Key? = nil, me: Bool? = nil) {
        self.person = person
        self.me = me
    }

    /// The change in words.
    public func sentence(_ names: EventNames) -> Sentence? {
        if me == true { return "Your location changed." }
        return person.map { "\(names.person($0, else: "Someone")) shows another location." }
    }

    /// Whether this device's location may have changed.
    public var concernsMe: Bool { me != false }
    /// Whether a mate's location may have changed.
    public var concernsMates: Bool { me != true }
}

/// The event of people nearby.
public enum NearbyEvents {
    /// The people nearby, or the people who see my names, changed.
    public static let changed = Event<NearbyChange>(
        "nearby", help: "The people nearby changed, or who sees your names.")
}

/// The body of ``NearbyEvents/changed``.
public struct NearbyChange: EventBody {
    /// A part of what is nearby.
    public enum Part: String, OpenChoice {
        /// The answer of `nearby list`.
        case people
        /// The answer of `visibility show`.
        case visibility
        /// A part that a newer node added.
        case unknown
    }

    /// The part that changed; nil if any may have.
    public var part: Part?

    /// Creates the value.
    public init(part: Part? = nil) { self.part = part }

    /// The change in words.
    public func sentence(_ names: EventNames) -> Sentence? {
        switch part {
        case .people: "The people nearby changed."
        case .visibility: "Who sees your name changed."
        case .unknown, nil: nil
        }
    }

    /// Whether the people nearby may have changed.
    public var concernsPeople: Bool { part != .visibility }
    /// Whether the people who see my names may have changed.
    public var concernsVisibility: Bool { part != .people }
}
