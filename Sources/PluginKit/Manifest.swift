/// What a plugin declares. It is also all that it is permitted: the host refuses anything else.
public struct Manifest: Sendable {
    /// A short lower-case word, unique among plugins; its tables start with it.
    public let id: String
    public let version: Int
    /// The records it may author; their tables are `<id>_…`.
    public let collections: [RecordCollection]
    /// Derived state, as SQL over its own tables and the core's views.
    public let views: [View]
    /// Topics of ephemeral messages to a space's members.
    public let ephemeralTopics: [String]
    /// Topics of direct messages to one linked device; received only while open.
    public let directTopics: [String]
    /// The topics of events it may publish.
    public let events: [String]
    /// The services it may use.
    public let services: Set<Service>
    /// The relations the engine asks for, where this plugin answers them.
    public let provides: Provision?
    /// What the groups that this plugin opens are called, for who shows groups of every plugin.
    public let groups: GroupNaming?

    /// Declares a plugin.
    public init(
        id: String, version: Int, collections: [RecordCollection] = [], views: [View] = [],
        ephemeralTopics: [String] = [], directTopics: [String] = [], events: [String] = [],
        services: Set<Service> = [], provides: Provision? = nil, groups: GroupNaming? = nil
    ) {
        self.id = id
        self.version = version
        self.collections = collections
        self.views = views
        self.ephemeralTopics = ephemeralTopics
        self.directTopics = directTopics
        self.events = events
        self.services = services
        self.provides = provides
        self.groups = groups
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

    /// A service of the host.
    public enum Service: Hashable, Sendable {
        /// Proposing a mateship and ending one.
        case mates
        /// The inbox and, through it, notifications.
        case inbox
        /// Where I am.
        case location
        /// Who is near, and what of me is announced.
        case nearby
        /// Opening spaces of several people, and saying who is in them.
        case groups
    }

    /// What a plugin's groups and the people in them are called. A plugin that shows groups of all
    /// kinds, such as a chat with a room for each, reads it in ``SharedViews``.
    public struct GroupNaming: Hashable, Sendable {
        /// A view of this manifest with the columns `space`, `title` and `is_over`: one row for
        /// each group that this plugin opened and that others may show something of. `is_over` is 1
        /// where this plugin needs the group no more, else 0: what others hold of it stays, and
        /// where they hold nothing they need not show it.
        public let titlesView: String
        /// A view of this manifest with the columns `space`, `person` and `name`: what people call
        /// themselves there.
        public let namesView: String

        /// Names the views.
        public init(titlesView: String, namesView: String) {
            self.titlesView = titlesView
            self.namesView = namesView
        }
    }

    /// Who are mates and who is blocked: the engine asks exactly one plugin, by views, and serves
    /// spaces and announcements by the answer.
    public struct Provision: Hashable, Sendable {
        /// A view with the columns `person`, `pair_state` (`mate`, `waiting` or `ending`) : with
        /// whom the pair space is shared, and who, as a mate, also reads my card.
        public let relationsView: String
        /// A view with the column `person`: nothing is sent to them and no link is kept.
        public let blockedView: String
        /// The collection and fields of the card that hold the key of my hourly tag and my name.
        public let tagKeysView: String
        /// A view with the columns `descriptor` and `person`: with whom which group is shared.
        public let groupsView: String

        /// Names the views.
        public init(
            relationsView: String, blockedView: String, tagKeysView: String, groupsView: String
        ) {
            self.relationsView = relationsView
            self.blockedView = blockedView
            self.tagKeysView = tagKeysView
            self.groupsView = groupsView
        }
    }
}
