public import PluginKit

/// A plugin of the tests with posts in neighbourhoods: texts that anybody writes, edits and takes
/// back.
public struct BoardPlugin: Plugin {
    static let posts = RecordCollection(
        "board.post/1", table: "board_post", spaces: [.open], isErasable: true,
        dailyRecordsMax: 20, fields: [.init(1, "text", .text(bytesMax: 1024))])

    /// Something changed or arrived.
    public static let changed = Event<Change>("board", help: "A post came or went.")

    /// The plugin's declarations.
    public static let manifest = Manifest(
        id: "board", version: 1, collections: [posts], events: [changed.declaration],
        services: [.neighbourhoods])

    /// The body of the event.
    public struct Change: EventBody {}

    /// A neighbourhood.
    public struct Place: CommandRequest {
        /// The name as it was joined, in its canonical form.
        public var place: String

        /// Names a neighbourhood.
        public init(_ place: String) { self.place = place }

        /// The help of each property.
        public static let help = ["place": "The neighbourhood."]
    }

    /// A text for a neighbourhood, or in place of another.
    public struct Writing: CommandRequest {
        /// The canonical name of the neighbourhood.
        public var place: String
        /// The text.
        public var text: String
        /// The text that it replaces; nil for a new post.
        public var former: String?

        /// Creates the value.
        public init(_ text: String, in place: String, insteadOf former: String? = nil) {
            self.place = place
            self.text = text
            self.former = former
        }

        /// The help of each property.
        public static let help = [
            "place": "The neighbourhood.", "text": "The text.", "former": "The text before.",
        ]
    }

    /// The posts of a neighbourhood.
    public struct Listed: Codable, Sendable {
        /// The texts, in their order.
        public var texts: [String]
        /// The names of the joined neighbourhoods.
        public var joined: [String]
    }

    /// Writes a post, or changes one.
    public static let write = Command<Writing, Done>(.action, "board", "write", help: "Writes.")
    /// Takes a post of this person back.
    public static let erase = Command<Writing, Done>(.action, "board", "erase", help: "Erases.")
    /// Lists the posts that are here.
    public static let list = Command<Place, Listed>(.query, "board", "list", help: "Lists posts.")

    /// The commands.
    public static let commands: [CommandHandler] = [
        handle(write) { plugin, writing in try await plugin.write(writing) },
        handle(erase) { plugin, writing in try await plugin.erase(writing) },
        handle(list) { plugin, place in try await plugin.list(place.place) },
    ]

    private let context: PluginContext

    /// Creates the plugin.
    public init(context: PluginContext) { self.context = context }

    private func write(_ writing: Writing) async throws -> Done {
        let space = SpaceDescriptor.open(name: writing.place)
        let fields: [String: Value] = ["text": .text(writing.text)]
        var edits: [Edit] = [
            .create(collection: Self.posts.name, nonce: context.random.nonce(), fields: fields)
        ]
        if let former = writing.former {
            edits = try await entities(of: former, in: space).map {
                .set(collection: Self.posts.name, entity: $0, fields: fields)
            }
        }
        try await context.replica.author(edits, in: space)
        return Done()
    }

    private func erase(_ writing: Writing) async throws -> Done {
        let space = SpaceDescriptor.open(name: writing.place)
        for entity in try await entities(of: writing.text, in: space) {
            try await context.replica.author(
                [.erase(collection: Self.posts.name, entity: entity)], in: space)
        }
        return Done()
    }

    private func list(_ place: String) async throws -> Listed {
        let rows = try await context.replica.rows(
            """
            SELECT b.text AS text FROM board_post b JOIN waggle_space s ON s.space = b.space
            WHERE s.id = ? AND b.text IS NOT NULL ORDER BY b.text
            """, [.bytes(SpaceDescriptor.open(name: place).id.bytes)])
        return Listed(
            texts: rows.compactMap { $0.text("text") },
            joined: try await context.neighbourhoods.joined().map(\.name))
    }

    private func entities(of text: String, in space: SpaceDescriptor) async throws -> [EntityID] {
        try await context.replica.rows(
            """
            SELECT b.entity AS entity FROM board_post b JOIN waggle_space s ON s.space = b.space
            WHERE s.id = ? AND b.text = ? AND b.creator = ?
            """, [.bytes(space.id.bytes), .text(text), .bytes(context.me.bytes)]
        ).compactMap { $0.entity("entity") }
    }

    /// Tells everyone.
    public func applied(_ changes: [RecordChange]) async throws {
        await context.events.publish(Self.changed, Change())
    }

    /// Tells everyone.
    public func neighbourhoodsChanged() async throws {
        await context.events.publish(Self.changed, Change())
    }
}
