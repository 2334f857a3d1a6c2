public import PluginKit

/// A plugin of the tests with photos in the pair of two mates: content that anything may happen to.
public struct AlbumPlugin: Plugin {
    static let photos = RecordCollection(
        "album.photo/1", table: "album_photo", spaces: [.pair], isErasable: true,
        fields: [.init(1, "photo", .blob(kinds: ["image/jpeg"], bytesMax: 4 << 20))])

    /// Something changed or arrived.
    public static let changed = Event<Change>("album", help: "A photo came or went.")

    /// The plugin's declarations.
    public static let manifest = Manifest(
        id: "album", version: 1, collections: [photos], events: [changed.declaration])

    /// The body of the event.
    public struct Change: EventBody {}

    /// A mate, and the seed of a photo's content.
    public struct Photo: CommandRequest {
        /// The mate.
        public var person: Key
        /// The seed.
        public var seed: Whole<0, 1_000_000>
        /// The length of its content.
        public var bytes: Whole<1, 16_777_216>

        /// Names a photo.
        public init(_ person: Key, seed: Int, bytes: Int = 1 << 20) {
            self.person = person
            self.seed = Whole(clamping: seed)
            self.bytes = Whole(clamping: bytes)
        }

        /// The help of each property.
        public static let help = [
            "person": "The mate.", "seed": "The seed of the content.",
            "bytes": "The length of the content.",
        ]

        /// The content.
        public var content: [UInt8] {
            var generator = SeededGenerator(seed: UInt64(seed.value))
            let start = generator.bytes(1024)
            return Array((0..<bytes.value).lazy.map { start[$0 % 1024] ^ UInt8($0 >> 10 & 0xff) })
        }
    }

    /// A mate.
    public struct Mate: CommandRequest {
        /// The mate.
        public var person: Key

        /// Names a mate.
        public init(_ person: PersonID) { self.person = Key(person) }

        /// The help of each property.
        public static let help = ["person": "The mate."]
    }

    /// The photos that records of a pair name.
    public struct Listed: Codable, Sendable {
        /// The number of photos that records name.
        public var named: Int
        /// The number of those whose content is here.
        public var here: Int
    }

    /// The parts of a photo that are here.
    public struct Shown: Codable, Sendable {
        /// Whether a record names it.
        public var isNamed: Bool
        /// Whether its content is here and right.
        public var isHere: Bool
    }

    /// Shows a photo to a mate.
    public static let add = Command<Photo, Shown>(.action, "album", "add", help: "Adds a photo.")
    /// Looks for a photo, and fetches it if it is not here.
    public static let show = Command<Photo, Shown>(.query, "album", "show", help: "Shows a photo.")
    /// Deletes a photo for both.
    public static let erase = Command<Photo, Shown>(
        .action, "album", "erase", help: "Deletes a photo.")

    /// Looks at all photos of a pair, and fetches those that are not here.
    public static let list = Command<Mate, Listed>(.query, "album", "list", help: "Lists photos.")

    /// The commands.
    public static let commands: [CommandHandler] = [
        handle(add) { plugin, photo in try await plugin.add(photo) },
        handle(show) { plugin, photo in try await plugin.show(photo) },
        handle(erase) { plugin, photo in try await plugin.erase(photo) },
        handle(list) { plugin, mate in try await plugin.list(mate) },
    ]

    private let context: PluginContext

    /// Creates the plugin.
    public init(context: PluginContext) { self.context = context }

    private func pair(_ photo: Photo) -> SpaceDescriptor {
        .between(context.me, PersonID(photo.person))
    }

    private func add(_ photo: Photo) async throws -> Shown {
        let blob = try await context.blobs.put(
            photo.content, kind: "image/jpeg", in: pair(photo))
        try await context.replica.author(
            [
                .create(
                    collection: Self.photos.name, nonce: context.random.nonce(),
                    fields: ["photo": blob.value])
            ], in: pair(photo))
        return Shown(isNamed: true, isHere: true)
    }

    private func show(_ photo: Photo) async throws -> Shown {
        guard let blob = Blob(of: photo.content, kind: "image/jpeg") else {
            throw CommandFault.failed("the content is valid")
        }
        let records = try await entities(of: blob)
        guard !records.isEmpty else { return Shown(isNamed: false, isHere: false) }
        let found = try await context.blobs.find(blob, in: pair(photo))
        return Shown(isNamed: true, isHere: found == photo.content)
    }

    private func erase(_ photo: Photo) async throws -> Shown {
        guard let blob = Blob(of: photo.content, kind: "image/jpeg") else {
            throw CommandFault.failed("the content is valid")
        }
        for entity in try await entities(of: blob) {
            try await context.replica.author(
                [.erase(collection: Self.photos.name, entity: entity)], in: pair(photo))
        }
        return Shown(isNamed: false, isHere: false)
    }

    private func list(_ mate: Mate) async throws -> Listed {
        let pair = SpaceDescriptor.between(context.me, PersonID(mate.person))
        let rows = try await context.replica.rows(
            """
            SELECT DISTINCT photo FROM album_photo a JOIN waggle_space s ON s.space = a.space
            WHERE s.id = ?
            """, [.bytes(pair.id.bytes)])
        var listed = Listed(named: 0, here: 0)
        for blob in rows.compactMap({ $0.blob("photo") }) {
            listed.named += 1
            if try await context.blobs.find(blob, in: pair) != nil { listed.here += 1 }
        }
        return listed
    }

    private func entities(of blob: Blob) async throws -> [EntityID] {
        try await context.replica.rows(
            "SELECT entity FROM album_photo WHERE photo = ?", [blob.value]
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
}
