import ChatAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Chat

/// Records of photos that a changed program can write: each is a message without a photo.
@Suite struct HostilePhotoTests {
    /// The fields of a record, as a program wrote them.
    private typealias Fields = [String: Value]

    private static let thumbnail = DrawnPhotos.jpeg(
        of: PhotoLimits.thumbnailSize, from: [1], bytesCount: 500)

    private static func blob(
        _ kind: String = EncodedPhoto.kind, bytesCount: Int = 1000
    ) -> Value {
        Blob(hash: BlobHash(of: [1]), bytesCount: bytesCount, kind: kind)?.value ?? .null
    }

    /// The fields of a good record.
    private static var good: Fields {
        [
            "text": .text("words"), "photo": blob(), "thumbnail": .bytes(thumbnail),
            "width": .integer(1600), "height": .integer(1),
        ]
    }

    /// A name for each change that makes a good record a bad one.
    private static let changes: [(name: String, fields: Fields)] = [
        ("a thumbnail that is too long", ["thumbnail": .bytes(longThumbnail)]),
        ("a thumbnail that is no JPEG", ["thumbnail": .bytes([1, 2, 3])]),
        ("a thumbnail with a comment", ["thumbnail": .bytes(commented)]),
        ("a thumbnail of another size", ["thumbnail": .bytes(wide)]),
        ("no thumbnail", ["thumbnail": .null]),
        ("a text as thumbnail", ["thumbnail": .text("words")]),
        ("no width", ["width": .null]),
        ("a width of 0", ["width": .integer(0)]),
        ("a width over the limit", ["width": .integer(1601)]),
        ("the largest height", ["height": .integer(.max)]),
        ("a negative height", ["height": .integer(.min)]),
        ("no content", ["photo": .null]),
        ("content of another type", ["photo": blob("image/png")]),
        ("a program as content", ["photo": blob("application/x-executable")]),
        ("content over the limit", ["photo": blob(bytesCount: PhotoLimits.chatBytesMax + 1)]),
        ("bytes that name no content", ["photo": .bytes([0xff, 0xff])]),
    ]

    private static var longThumbnail: [UInt8] {
        DrawnPhotos.jpeg(
            of: PhotoLimits.thumbnailSize, from: [1], bytesCount: PhotoLimits.thumbnailBytesMax)
    }

    private static var commented: [UInt8] {
        thumbnail.prefix(2) + [0xFF, 0xFE, 0, 20] + [UInt8](repeating: 65, count: 18)
            + thumbnail.dropFirst(2)
    }

    private static var wide: [UInt8] {
        DrawnPhotos.jpeg(of: PhotoSize(width: 65_535, height: 100), from: [1], bytesCount: 500)
    }

    /// Returns the operations that a program would sign.
    private func operations(
        _ fields: Fields, by host: TestHost, in space: SpaceDescriptor
    ) throws -> [Records.Operation] {
        let (nonce, collection) = (host.random.nonce(), Chat.message.id)
        let entity = Records.Operation.entity(
            in: space.id, of: collection, by: host.me.device, nonce: nonce)
        let create = Records.Operation(
            collection: collection, entity: entity, action: .create(nonce: nonce))
        return try [create]
            + fields.sorted { $0.key < $1.key }.filter { $0.value != .null }.map { name, value in
                let field = try #require(Chat.message.field(named: name))
                return Records.Operation(
                    collection: collection, entity: entity,
                    action: .set(field: field.number, value))
            }
    }

    private func shown(
        _ fields: Fields, with network: TestNetwork, _ ann: TestHost, _ ben: TestHost
    ) async throws -> ChatMessage? {
        let pair = SpaceDescriptor.between(ann.me.person, ben.me.person)
        try await ben.forge(try operations(fields, by: ben, in: pair), in: pair, for: ann)
        try await network.settle()
        return try await ann.open(ben.key).messages.last
    }

    @Test func `a good record of a changed program is a photo, whose content never comes`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            let message = try #require(try await shown(Self.good, with: network, ann, ben))
            #expect(message.photo == PhotoSides(width: 1600, height: 1))
            let content = try await ann.call(
                ChatCommands.photo, .init(id: RecordPrefix(message.id)))
            #expect(content.file == nil && content.note != nil)
        }
    }

    @Test func `a record whose parts do not fit is a message without a photo`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.talkers()
            for (name, change) in Self.changes {
                let fields = Self.good.merging(change) { _, new in new }
                let message = try #require(
                    try await shown(fields, with: network, ann, ben), "\(name)")
                #expect(message.text.string == "words" && message.photo == nil, "\(name)")
                await #expect(throws: CommandFault.self, "\(name)") {
                    try await ann.call(ChatCommands.photo, .init(id: RecordPrefix(message.id)))
                }
                let found = try await ann.call(
                    ChatCommands.thumbnails, .init(room: ben.key, ids: [message.id]))
                #expect(found.thumbnails.isEmpty, "\(name)")
            }
            #expect(try await ann.room(ben.key)?.lastPhoto == nil)
        }
    }
}
