import FeaturesAPI
import Foundation
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

/// The photo of a profile: chosen, kept private, fetched by mates, and removed.
@Suite struct ProfilePhotoTests {
    /// Writes a file whose bytes stand for a picture.
    private func picture(_ text: String, in directory: String) throws -> FilePath {
        let path = directory + "/" + text
        try Data(text.utf8).write(to: URL(filePath: path))
        return try FilePath(path)
    }

    /// Makes a file that stands for a picture a person's photo.
    @discardableResult
    private func choose(_ text: String, _ host: TestHost) async throws -> MyProfile {
        let file = try picture(text, in: TestDirectory.make("pictures"))
        return try await host.call(ProfileCommands.photo, .init(file: file))
    }

    private func photo(of host: TestHost, at other: TestHost) async throws -> PersonPhoto? {
        do {
            return try await other.call(
                MateCommands.photo, .init(person: NameOrKey(host.me.person), thumbnail: true))
        } catch CommandFault.notFound {
            return nil
        }
    }

    private func content(of text: String) async throws -> EncodedPhoto {
        try await DrawnPhotos().encode(.bytes(Array(text.utf8)), for: .profile)
    }

    /// The names of a host's files with content.
    private func files(of host: TestHost) -> Set<String> {
        let all =
            FileManager.default.enumerator(atPath: host.contentDirectory)?
            .allObjects as? [String]
        return Set((all ?? []).compactMap { $0.split(separator: "/").last.map(String.init) })
            .filter { $0.utf8.count == 64 }
    }

    @Test func `a person without a photo says so`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let me = try await ann.call(ProfileCommands.show)
            #expect(me.photoMs == nil && me.photoHere == nil)
            #expect(try await photo(of: ann, at: ann) == nil)
            #expect(try await ann.features.myThumbnail() == nil)
            await #expect(throws: CommandFault.notFound("You have no photo.")) {
                try await ann.call(ProfileCommands.photo, .init(remove: true))
            }
        }
    }

    @Test func `a photo reaches a mate whole, and the mate sees since when`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let me = try await choose("one", ann)
            #expect(me.photoMs != nil && me.photoHere == true)
            try await network.settle()
            #expect(try await ben.mate(ann)?.photoMs == me.photoMs)
            let found = try #require(try await photo(of: ann, at: ben))
            let wanted = try await content(of: "one")
            #expect(found.here && found.thumbnail?.jpeg == wanted.thumbnail)
            let file = try #require(found.file?.string)
            #expect(FileManager.default.contents(atPath: file) == Data(wanted.jpeg))
        }
    }

    @Test func `a new photo replaces the one before on both sides, and leaves no file of it`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await choose("one", ann)
            try await network.settle()
            let first = try #require(try await ben.mate(ann)?.photoMs)
            try await choose("two", ann)
            try await network.settle()
            #expect(try #require(try await ben.mate(ann)?.photoMs) > first)
            let hash = BlobHash(of: try await content(of: "two").jpeg).description
            for host in [ann, ben] { #expect(files(of: host) == [hash]) }
        }
    }

    @Test func `a removed photo is gone from both sides, files, thumbnail and record`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await choose("one", ann)
            try await network.settle()
            #expect(!files(of: ben).isEmpty)
            let me = try await ann.call(ProfileCommands.photo, .init(remove: true))
            #expect(me.photoMs == nil)
            try await network.settle()
            #expect(try await ben.mate(ann)?.photoMs == nil)
            let thumbnail = try await content(of: "one").thumbnail
            for host in [ann, ben] {
                #expect(files(of: host).isEmpty)
                #expect(try await photo(of: ann, at: host) == nil)
                #expect(try !host.databaseBytes().holds(thumbnail))
            }
        }
    }

    @Test func `clearing the field removes the photo too`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await choose("one", ann)
            #expect(try await ann.call(ProfileCommands.edit, .init(clear: [.photo])).photoMs == nil)
            #expect(files(of: ann).isEmpty)
            try await ann.call(ProfileCommands.edit, .init(clear: [.photo]))
        }
    }

    @Test func `a photo kept private never enters the card, and mates lose it`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await choose("one", ann)
            try await network.settle()
            let me = try await ann.call(ProfileCommands.edit, .init(keptPrivate: [.photo]))
            #expect(me.photoMs != nil && me.photoHere == true && me.keptPrivate == [.photo])
            #expect(try await ann.features.myThumbnail() == nil)
            try await network.settle()
            #expect(try await ben.mate(ann)?.photoMs == nil)
            #expect(files(of: ben).isEmpty && !files(of: ann).isEmpty)
            try await choose("two", ann)
            try await network.settle()
            #expect(files(of: ben).isEmpty)
            let shown = try await ann.call(ProfileCommands.edit, .init(keptPrivate: []))
            try await network.settle()
            #expect(try await ben.mate(ann)?.photoMs == shown.photoMs)
            #expect(try await photo(of: ann, at: ben)?.here == true)
            #expect(try await ann.features.myThumbnail() == content(of: "two").thumbnail)
        }
    }

    @Test func `a stranger and a person who was removed have no photo`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let carl = try await network.person(seed: 3, "Carl")
            try await network.setLink(ann, carl, isUp: true)
            try await choose("one", ann)
            try await network.settle()
            #expect(try await photo(of: ann, at: carl) == nil)
            #expect(files(of: carl).isEmpty && !files(of: ben).isEmpty)
        }
    }

    @Test func `a picture that is refused keeps the photo before`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let before = try await choose("one", ann)
            await #expect(throws: CommandFault.self) {
                try await ann.call(ProfileCommands.photo, .init(file: FilePath("/no/such/file")))
            }
            #expect(try await ann.call(ProfileCommands.show).photoMs == before.photoMs)
            for request in [ChangePhoto(), ChangePhoto(file: try FilePath("/a"), remove: true)] {
                await #expect(throws: CommandFault.self) {
                    try await ann.call(ProfileCommands.photo, request)
                }
            }
        }
    }

    @Test func `a change that a crash interrupted is completed at the next start`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await choose("one", ann)
            // An edit that keeps the photo private was stored, and the photo has not moved yet.
            try await ann.write(
                [
                    .own(
                        collection: Profiles.privateProfile.name,
                        fields: ["kept_private": .list([.text("photo")])])
                ], in: .own(ann.me.person))
            await ann.start()
            #expect(try await ann.features.profiles.photos.mine()?.isPrivate == true)
            #expect(try await ann.call(ProfileCommands.show).photoHere == true)
        }
    }

    @Test func `a record of a hostile mate shows no more than is valid of it`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let real = try await content(of: "one")
            let space = SpaceDescriptor.card(ann.me.person)
            let blob = try #require(Blob(of: real.jpeg, kind: EncodedPhoto.kind)).value
            let tooLong = try #require(
                Blob(hash: BlobHash(of: [1]), bytesCount: 256 * 1024 + 1, kind: EncodedPhoto.kind))
            let wrongKind = try #require(Blob(of: [1, 2], kind: "image/png"))
            let cases: [(photo: Value, thumbnail: [UInt8], isNamed: Bool, hasThumbnail: Bool)] = [
                (.bytes([1, 2, 3]), real.thumbnail, false, false),
                (tooLong.value, real.thumbnail, false, false),
                (wrongKind.value, real.thumbnail, false, false),
                (blob, [UInt8](repeating: 0xFF, count: 8193), true, false),
                (blob, Array("no picture".utf8), true, false),
                (blob, real.thumbnail, true, true),
            ]
            for (number, each) in cases.enumerated() {
                let nonce = Bytes16.numbered(UInt8(number + 1))
                try await ann.forge(
                    photo(each.photo, each.thumbnail, by: ann, nonce, at: number, in: space),
                    in: space, for: ben)
                // The next batch is dated after this one.
                try await network.pass(seconds: 2)
                let found = try await self.photo(of: ann, at: ben)
                #expect((found != nil) == each.isNamed, "case \(number)")
                #expect((found?.thumbnail != nil) == each.hasThumbnail, "case \(number)")
            }
        }
    }

    /// Returns the operations that write a photo's record.
    private func photo(
        _ photo: Value, _ thumbnail: [UInt8], by host: TestHost, _ nonce: Bytes16, at time: Int,
        in space: SpaceDescriptor
    ) -> [Records.Operation] {
        let collection = CollectionID(name: ProfilePhotos.collection.name)
        let entity = Records.Operation.entity(
            in: space.id, of: collection, by: host.me.device, nonce: nonce)
        let values: [(UInt64, Value)] = [
            (1, photo), (2, .integer(Int64(time))), (3, .bytes(thumbnail)),
        ]
        return [
            Records.Operation(collection: collection, entity: entity, action: .create(nonce: nonce))
        ]
            + values.map {
                Records.Operation(
                    collection: collection, entity: entity, action: .set(field: $0.0, $0.1))
            }
    }
}
