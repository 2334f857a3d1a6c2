public import Contract

/// The name of a group.
public typealias GroupName = Text<1, 40>
/// The text of a note in a group.
public typealias NoteText = Text<1, 300>

/// The commands of groups.
public enum GroupCommands {
    /// Creates a group that I own.
    public static let create = Command<CreateGroup, GroupSummary>(
        .action, "group", "create", help: "Creates a group that you own.")
    /// Lists my groups and my state in each.
    public static let list = Command<NoParameters, GroupList>(
        .query, "group", "list", help: "Lists your groups and your state in each.")
    /// Shows a group's members and notes.
    public static let show = Command<GroupReference, GroupDetail>(
        .query, "group", "show", help: "Shows the members and notes of a group.")
    /// Writes a note to all members of a group.
    public static let note = Command<WriteNote, NoteReceipt>(
        .action, "group", "note", help: "Writes a note to all members of a group.")
    /// Erases a note of mine on all members' devices.
    public static let erase = Command<EraseNote, Done>(
        .action, "group", "erase", help: "Erases one of your notes for all members of the group.")
    /// Invites a mate, or changes a member's role.
    public static let invite = Command<InviteToGroup, GroupSummary>(
        .action, "group", "invite",
        help: "Invites a mate to a group that you own, or changes what they may do in it.")
    /// Accepts an invitation.
    public static let accept = Command<GroupReference, GroupSummary>(
        .action, "group", "accept", help: "Accepts an invitation to a group.")
    /// Declines an invitation.
    public static let decline = Command<GroupReference, GroupSummary>(
        .action, "group", "decline", help: "Declines an invitation to a group.")
    /// Leaves a group; my records in it stay.
    public static let leave = Command<GroupReference, GroupSummary>(
        .action, "group", "leave", help: "Leaves a group; your notes stay.")
    /// Removes a person from a group that I own.
    public static let remove = Command<RemoveFromGroup, GroupRemoval>(
        .action, "group", "remove",
        help: "Removes a person from a group that you own; they keep what they have received.")
}

/// The request of `group create`.
public struct CreateGroup: CommandRequest {
    /// The group's name, one line of 1 to 40 characters.
    public var name: GroupName

    /// Creates the value.
    public init(name: GroupName) {
        self.name = name
    }

    /// The help of each property.
    public static let help = ["name": "The name, 1 to 40 characters."]
    /// The properties read by position.
    public static let positional = ["name"]
}

/// A group, named by its id.
public struct GroupReference: CommandRequest {
    /// The group's name or id; six digits of an id are enough.
    public var group: NameOrKey

    /// Creates the value.
    public init(group: NameOrKey) {
        self.group = group
    }

    /// The help of each property.
    public static let help = ["group": "The group's name or id; six digits of an id are enough."]
    /// The properties read by position.
    public static let positional = ["group"]
}

/// The request of `group note`.
public struct WriteNote: CommandRequest {
    /// The group's name or id; six digits of an id are enough.
    public var group: NameOrKey
    /// The note's text, one line of 1 to 300 characters.
    public var text: NoteText

    /// Creates the value.
    public init(group: NameOrKey, text: NoteText) {
        self.group = group
        self.text = text
    }

    /// The help of each property.
    public static let help = [
        "group": "The group's name or id; six digits of an id are enough.",
        "text": "One line of 1 to 300 characters.",
    ]
    /// The properties read by position.
    public static let positional = ["group", "text"]
}

/// The answer of `group note`.
public struct NoteReceipt: Codable, Hashable, Sendable {
    /// The id of the new note.
    public var id: RecordKey

    /// Creates the value.
    public init(id: RecordKey) {
        self.id = id
    }
}

/// The request of `group erase`.
public struct EraseNote: CommandRequest {
    /// The group's name or id; six digits of an id are enough.
    public var group: NameOrKey
    /// The id of the note to erase; its first six digits are enough.
    public var note: RecordPrefix

    /// Creates the value.
    public init(group: NameOrKey, note: RecordPrefix) {
        self.group = group
        self.note = note
    }

    /// The help of each property.
    public static let help = [
        "group": "The group's name or id; six digits of an id are enough.",
        "note": "The note's id; six digits are enough.",
    ]
    /// The properties read by position.
    public static let positional = ["group", "note"]
}

/// The role of a group's member: reading, also writing, or also inviting and removing.
public enum GroupRole: String, Choice { case reader, writer, owner }

/// My state in a group.
public enum GroupState: String, OpenChoice {
    /// I received a notice of it, and its own records have not arrived yet.
    case awaited
    /// I may read it, and I have not accepted.
    case invited
    case member
    /// I left it or declined.
    case left
    /// An owner removed me.
    case removed
    /// A state that a newer node added.
    case unknown
}

/// The request of `group invite`.
public struct InviteToGroup: CommandRequest {
    /// The group's name or id; six digits of an id are enough.
    public var group: NameOrKey
    /// The mate's name or key; six digits of a key are enough.
    public var person: NameOrKey
    /// The role to give; nil means writer.
    public var role: GroupRole?

    /// Creates the value.
    public init(group: NameOrKey, person: NameOrKey, role: GroupRole? = nil) {
        self.group = group
        self.person = person
        self.role = role
    }

    /// The help of each property.
    public static let help = [
        "group": "The group's name or id; six digits of an id are enough.",
        "person": "The mate's name or key; six digits of a key are enough.",
        "role": "Readers read, writers also write, owners also invite and remove; a writer by "
            + "default.",
    ]
    /// The properties read by position.
    public static let positional = ["group", "person"]
}

/// The request of `group remove`.
public struct RemoveFromGroup: CommandRequest {
    /// The group's name or id; six digits of an id are enough.
    public var group: NameOrKey
    /// The name or key of the person to remove.
    public var person: NameOrKey

    /// Creates the value.
    public init(group: NameOrKey, person: NameOrKey) {
        self.group = group
        self.person = person
    }

    /// The help of each property.
    public static let help = [
        "group": "The group's name or id; six digits of an id are enough.",
        "person": "Their name or key; six digits of a key are enough.",
    ]
    /// The properties read by position.
    public static let positional = ["group", "person"]
}

/// A group and this person's state in it.
public struct GroupSummary: Codable, Hashable, Sendable {
    /// The group's id.
    public var id: Key
    /// The group's name.
    public var name: GroupName.Shown
    /// This person's state.
    public var state: GroupState
    /// This person's role, if there is one.
    public var role: GroupRole?
    /// The number of present members.
    public var peopleCount: Count
    /// The key of the person who invited me.
    public var invitedBy: Key?

    /// Creates the value.
    public init(
        id: Key, name: String, state: GroupState, role: GroupRole? = nil, peopleCount: Int,
        invitedBy: Key? = nil
    ) {
        self.id = id
        self.name = GroupName.Shown(clipping: name)
        self.state = state
        self.role = role
        self.peopleCount = Count(clamping: peopleCount)
        self.invitedBy = invitedBy
    }
}

/// The answer of `group list`.
public struct GroupList: Codable, Hashable, Sendable {
    /// The groups, with this person's state in each.
    public var groups: [GroupSummary]

    /// Creates the value.
    public init(groups: [GroupSummary]) {
        self.groups = groups
    }
}

/// The answer of `group remove`.
public struct GroupRemoval: Codable, Hashable, Sendable {
    /// The group after the removal.
    public var group: GroupSummary
    /// A sentence on what a removal cannot do.
    public var hint: ShownSentence

    /// Creates the value.
    public init(group: GroupSummary, hint: Sentence) {
        self.group = group
        self.hint = ShownSentence(hint)
    }
}

/// The answer of `group show`.
public struct GroupDetail: Codable, Hashable, Sendable {
    /// The group's id.
    public var id: Key
    /// The group's name.
    public var name: GroupName.Shown
    /// This person's state.
    public var state: GroupState
    /// This person's role, if there is one.
    public var role: GroupRole?
    /// The number of present members.
    public var peopleCount: Count
    /// The key of the person who invited me.
    public var invitedBy: Key?
    /// The present and past members.
    public var members: [Member]
    /// The notes, the newest first.
    public var notes: [Note]

    /// Creates the value.
    public init(
        id: Key, name: String, state: GroupState, role: GroupRole? = nil, peopleCount: Int,
        invitedBy: Key? = nil, members: [Member], notes: [Note]
    ) {
        self.id = id
        self.name = GroupName.Shown(clipping: name)
        self.state = state
        self.role = role
        self.peopleCount = Count(clamping: peopleCount)
        self.invitedBy = invitedBy
        self.members = members
        self.notes = notes
    }

    /// A present or past member.
    public struct Member: Codable, Hashable, Sendable {
        /// The state of a member. A state that a newer node adds is read as ``unknown``.
        public enum State: String, OpenChoice { case invited, member, left, removed, unknown }

        /// The member's key.
        public var person: Key
        /// The first digits of the member's key, which tell people with the same name apart.
        public var suffix: KeySuffix
        /// The member's name, if it is known and I have not blocked them.
        public var name: PersonName?
        /// The member's role.
        public var role: GroupRole
        /// The member's state.
        public var state: State
        /// Whether the member is this person.
        public var me: Bool

        /// Creates the value.
        public init(
            person: Key, suffix: KeySuffix, name: String? = nil, role: GroupRole, state: State,
            me: Bool
        ) {
            self.person = person
            self.suffix = suffix
            self.name = name.map(PersonName.init(clipping:))
            self.role = role
            self.state = state
            self.me = me
        }
    }

    /// A note to all members of the group.
    public struct Note: Codable, Hashable, Sendable {
        /// The note's id.
        public var id: RecordKey
        /// The note's text.
        public var text: NoteText.Shown
        /// The author's key.
        public var person: Key
        /// The author's name, or the end of their key if the name is not known.
        public var name: PersonName
        /// The time at which it was written.
        public var atMs: Timestamp?

        /// Creates the value.
        public init(
            id: RecordKey, text: String, person: Key, name: String, atMs: Timestamp? = nil
        ) {
            self.id = id
            self.text = NoteText.Shown(clipping: text)
            self.person = person
            self.name = PersonName(clipping: name)
            self.atMs = atMs
        }
    }
}
