public import PluginKit

/// A plugin of the tests with pictures in neighbourhoods: a thumbnail that comes with the record,
/// and the whole, which is fetched when somebody looks at it.
public struct GalleryPlugin: Plugin {
    static let pictures = RecordCollection(
        "gallery.picture/1", table: "gallery_picture", spaces: [.open], isErasable: true,
        dailyRecordsMax: 100,
        fields: [
            .init(1, "photo", .blob(kinds: ["image/jpeg"], bytesMax: 16 << 20)),
            .init(
                2, "thumbnail", .blob(kinds: ["image/jpeg"], bytesMax: 8192), fetched: .withRecord),
        ])

    /// Something changed or arrived.
    public static let changed = Event<Change>("gallery", help: "A picture came or went.")

    /// The plugin's declarations.
    public static let manifest = Manifest(
        id: "gallery", version: 1, collections: [pictures], events: [changed.declaration],
        services: [.neighbourhoods])

    /// The body of the event.
    public struct Change: EventBody {}

    /// A picture in a neighbourhood, by the seed of its content.
    public struct Picture: CommandRequest {
        /// The neighbourhood's canonical name.
        public var place: String
        /// The seed.
        public var seed: Whole<0, 1_000_000>
        /// The length of the whole.
        public var bytes: Whole<1, 4_194_304>

        /// Names a picture.
        public init(_ place: String, seed: Int, bytes: Int = 300_000) {
            self.place = place
            self.seed = Whole(clamping: seed)
            self.bytes = Whole(clamping: bytes)
        }

        /// The help of each property.
        public static let help = [
            "place": "The neighbourhood.", "seed": "The seed of the content.",
            "bytes": "The length of the content.",
        ]

        /// The content of the whole.
        public var photo: [UInt8] { content(bytes.value, salt: 0) }

        /// The content of the thumbnail.
        public var thumbnail: [UInt8] { content(8192, salt: 1) }

        private func content(_ count: Int, salt: UInt64) -> [UInt8] {
            var generator = SeededGenerator(seed: UInt64(seed.value) << 1 | salt)
            let start = generator.bytes(1024)
            return Array((0..<count).lazy.map { start[$0 % 1024] ^ UInt8($0 >> 10 & 0xff) })
        }
    }

    /// The parts of a picture that are here.
    public struct Shown: Codable, Sendable {
        /// Whether a record names it.
        public var isNamed: Bool
        /// Whether the whole is here.
        public var isWhole: Bool
    }

    /// Adds a picture.
    public static let add = Command<Picture, Done>(.action, "gallery", "add", help: "Adds one.")
    /// Says whether a record names a picture, and fetches nothing.
    public static let peek = Command<Picture, Shown>(
        .query, "gallery", "peek", help: "Looks without fetching.")
    /// Shows the whole, and fetches it if it is not here.
    public static let show = Command<Picture, Shown>(
        .query, "gallery", "show", help: "Shows a picture.")
    /// Deletes a picture of this person.
    public static let erase = Command<Picture, Done>(
        .action, "gallery", "erase", help: "Deletes one.")
    /// Names the joined neighbourhoods.
    public static let joined = Command<NoParameters, Places>(
        .query, "gallery", "joined", help: "Names the neighbourhoods.")

    /// Names of neighbourhoods.
    public struct Places: Codable, Sendable {
        /// The canonical names.
        public var names: [String]
    }

    /// The commands.
    public static let commands: [CommandHandler] = [
        handle(add) { plugin, picture in try await plugin.add(picture) },
        handle(peek) { plugin, picture in try await plugin.shown(picture, isOpened: false) },
        handle(show) { plugin, picture in try await plugin.shown(picture, isOpened: true) },
        handle(erase) { plugin, picture in try await plugin.erase(picture) },
        handle(joined) { plugin, _ in
            Places(names: try await plugin.context.neighbourhoods.joined().map(\.name))
        },
    ]

    private let context: PluginContext

    /// Creates the plugin.
    public init(context: PluginContext) { self.context = context }

    private func add(_ picture: Picture) async throws -> Done {
        let space = SpaceDescriptor.open(name: picture.place)
        let photo = try await context.blobs.put(picture.photo, kind: "image/jpeg", in: space)
        let thumbnail = try await context.blobs.put(
            picture.thumbnail, kind: "image/jpeg", in: space)
        try await context.replica.author(
            [
                .create(
                    collection: Self.pictures.name, nonce: context.random.nonce(),
                    fields: ["photo": photo.value, "thumbnail": thumbnail.value])
            ], in: space)
        return Done()
    }

    private func shown(_ picture: Picture, isOpened: Bool) async throws -> Shown {
        let space = SpaceDescriptor.open(name: picture.place)
        guard let photo = Blob(of: picture.photo, kind: "image/jpeg") else {
            throw CommandFault.failed("the content is valid")
        }
        let isNamed = try await !entities(of: photo, in: space).isEmpty
        guard isNamed, isOpened else { return Shown(isNamed: isNamed, isWhole: false) }
        let found = try await context.blobs.find(photo, in: space)
        return Shown(isNamed: true, isWhole: found == picture.photo)
    }

    private func erase(_ picture: Picture) async throws -> Done {
        let space = SpaceDescriptor.open(name: picture.place)
        guard let photo = Blob(of: picture.photo, kind: "image/jpeg") else {
            throw CommandFault.failed("the content is valid")
        }
        for entity in try await entities(of: photo, in: space) {
            try await context.replica.author(
                [.erase(collection: Self.pictures.name, entity: entity)], in: space)
        }
        return Done()
    }

    private func entities(of photo: Blob, in space: SpaceDescriptor) async throws -> [EntityID] {
        try await context.replica.rows(
            """
            SELECT g.entity AS entity FROM gallery_picture g
            JOIN waggle_space s ON s.space = g.space WHERE s.id = ? AND g.photo = ?
            """, [.bytes(space.id.bytes), photo.value]
        ).compactMap { $0.entity("entity") }
    }

    /// Tells everyone.
    public func contentArrived(_ blob: Blob, in space: SpaceDescriptor) async throws {
        await context.events.publish(Self.changed, Change())
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
