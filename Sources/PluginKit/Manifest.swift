/// A plugin's declarations. They are also all that it is permitted: the host refuses anything else.
///
/// ```swift
/// public static let manifest = Manifest(
///     id: "wave", version: 1, collections: [waves], events: [WaveEvents.changed.declaration],
///     services: [.mates, .inbox])
/// ```
public struct Manifest: Sendable {
    /// A short lower-case word, unique among plugins; its tables start with it.
    public let id: String
    /// The version of the declarations.
    public let version: Int
    /// The records it may author; their tables are `<id>_…`.
    public let collections: [RecordCollection]
    /// Derived state, as SQL over its own tables and the core's views.
    public let views: [View]
    /// Topics of ephemeral messages to a space's members.
    public let ephemeralTopics: [String]
    /// Topics of direct messages to one linked device; received only while open.
    public let directTopics: [String]
    /// The events it may publish.
    public let events: [EventDeclaration]
    /// The fields it may announce to everyone on the network.
    public let announces: [AnnouncedField]
    /// The kinds of notices that it may show on the desktop.
    public let notices: [NoticeKind]
    /// The events after which ``Plugin/appointments()`` may return others; none if the plugin has
    /// no appointments.
    public let appointments: [EventDeclaration]
    /// The services it may use.
    public let services: Set<Service>
    /// The names of the groups that this plugin opens, for plugins that show groups of every
    /// plugin.
    public let groups: GroupNaming?
    /// The views of this manifest whose rows every plugin may read, each by what it lists.
    public let shares: [SharedViews.Kind: String]

    /// Declares a plugin.
    public init(
        id: String, version: Int, collections: [RecordCollection] = [], views: [View] = [],
        ephemeralTopics: [String] = [], directTopics: [String] = [],
        events: [EventDeclaration] = [], announces: [AnnouncedField] = [],
        notices: [NoticeKind] = [], appointments: [EventDeclaration] = [],
        services: Set<Service> = [], groups: GroupNaming? = nil,
        shares: [SharedViews.Kind: String] = [:]
    ) {
        self.id = id
        self.version = version
        self.collections = collections
        self.views = views
        self.ephemeralTopics = ephemeralTopics
        self.directTopics = directTopics
        self.events = events
        self.announces = announces
        self.notices = notices
        self.appointments = appointments
        self.services = services
        self.groups = groups
        self.shares = shares
    }

    /// A named SQL view.
    public struct View: Hashable, Sendable {
        /// The view's name, `<id>_…`.
        public let name: String
        /// The `SELECT` behind it.
        public let sql: String

        /// Declares a view.
        public init(_ name: String, _ sql: String) {
            self.name = name
            self.sql = sql
        }
    }

    /// A field that is announced to everyone on the network. On another device its bytes are given
    /// only to the plugin that declares it there.
    public struct AnnouncedField: Hashable, Sendable {
        /// One to three lower-case letters, unique among plugins.
        public let key: String
        /// The maximum length of its value in bytes, 1 to ``Limits/announcedFieldBytesMax``.
        public let bytesMax: Int
        /// The condition for showing it.
        public let shown: Shown
        /// Whether the field's switch means that the person is waiting to meet another person. The
        /// list of people nearby shows this for every plugin, and while the switch is on here, this
        /// device links with devices whose switch is on before it links with others. Only a field
        /// that is shown ``Shown/whileSwitchedOn`` may declare it.
        public let opensMeeting: Bool

        /// The condition for showing a field.
        public enum Shown: Hashable, Sendable {
            /// Shown whenever the plugin has set it.
            case always
            /// Shown while I am visible to everyone.
            case whileVisible
            /// Shown while the plugin's switch for the field is on. The switch is off at the start.
            case whileSwitchedOn
        }

        /// Declares a field.
        public init(_ key: String, bytesMax: Int, shown: Shown, opensMeeting: Bool = false) {
            self.key = key
            self.bytesMax = bytesMax
            self.shown = shown
            self.opensMeeting = opensMeeting
        }
    }

    /// A kind of notices on the desktop. Each is a setting of the person, `notifications.<kind>`.
    public struct NoticeKind: Hashable, Sendable {
        /// The kind of the inbox items that the notices are about.
        public let kind: InboxKind
        /// A sentence for the list of settings, as in "Walk requests and their answers."
        public let help: String

        /// Declares a kind.
        public init(_ kind: InboxKind, help: String) {
            self.kind = kind
            self.help = help
        }
    }

    /// The maximum size of one plugin's fields together, in bytes as in
    /// ``AnnouncedFields/bytesCount``.
    public static let announcedBytesMax = 200

    /// A service of the host.
    public enum Service: Hashable, Sendable {
        /// Proposing and ending a mateship.
        case mates
        /// The inbox.
        case inbox
        /// The location of this device.
        case location
        /// People nearby.
        case nearby
        /// Measured distances and directions of linked devices.
        case ranging
        /// Setting whether I am visible to everyone; at most one plugin has it.
        case visibility
        /// Performing meetings that other plugins ask for, by ``Plugin/meet(_:)``; at most one
        /// plugin has it.
        case meetings
        /// Opening spaces of several people, and changing their members.
        case groups
        /// Reading and writing in the neighbourhoods that this person joined.
        case neighbourhoods
        /// Reading and writing files that this person names.
        case files
        /// A journal of this device for work that is under way.
        case journal
        /// Storing matches and their ends.
        case matches
        /// Storing correspondences and their ends.
        case correspondence
        /// Signing statements, and checking those of others.
        case statements
    }

    /// The names of a plugin's groups and of the people in them. A plugin that shows groups of all
    /// kinds, such as a chat with a room for each, reads them in ``SharedViews``.
    public struct GroupNaming: Hashable, Sendable {
        /// A view of this manifest with the columns `space`, `title` and `over_ms`: one row for
        /// each group that this plugin opened and that other plugins may show. `over_ms` is the
        /// time from which this plugin does not need the group any more, or null: other plugins'
        /// records in it stay, and a plugin without records in it need not show it.
        public let titlesView: String
        /// A view of this manifest with the columns `space`, `person` and `name`: the names that
        /// people use in the group.
        public let namesView: String

        /// Names the views.
        public init(titlesView: String, namesView: String) {
            self.titlesView = titlesView
            self.namesView = namesView
        }
    }
}
