import FeaturesAPI
import Features
import Foundation
import PluginKit
import ProximityDropAPI
import Records
import TestSupport
import Testing

@testable import ProximityDrop

/// The photo in a drop: the plugin with the core feature set beside it, over real replicas.
@Suite struct DropPhotoTests {
    private func people(_ network: TestNetwork) async throws -> (TestHost, TestHost) {
        var hosts: [TestHost] = []
        for (seed, name) in [(1, "Ann"), (2, "Ben")] {
            let host = try await network.host(
                seed: UInt64(seed), [CoreFeatures.self, ProximityDrop.self])
            try await host.call(ProfileCommands.edit, .init(nickname: Nickname(name)))
            hosts.append(host)
        }
        try await network.settle()
        try await network.setLink(hosts[0], hosts[1], isUp: true)
        return (hosts[0], hosts[1])
    }

    /// Makes a picture a person's photo; returns what it becomes.
    private func choose(_ host: TestHost) async throws -> EncodedPhoto {
        let path = try TestDirectory.newPath("picture")
        try Data("a dog".utf8).write(to: URL(filePath: path))
        try await host.call(ProfileCommands.photo, .init(file: FilePath(path)))
        return DrawnPhotos.photo(from: Array("a dog".utf8))
    }

    private func press(
        _ network: TestNetwork, _ one: TestHost, _ other: TestHost, share: Bool = true
    ) async throws {
        try await one.call(DropCommands.start, .init(share: share))
        try await other.call(DropCommands.start, .init())
        try await network.pass(seconds: 4)
    }

    private func theirs(at host: TestHost) async throws -> [UInt8]? {
        let isHere = try await host.call(DropCommands.show).peer?.photo == true
        let thumbnail = try await host.call(DropCommands.photo).theirs?.jpeg
        #expect((thumbnail != nil) == isHere)
        return thumbnail
    }

    @Test func `the thumbnail is shown beside the card, the whole photo comes after both accept`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await people(network)
            let photo = try await choose(ann)
            #expect(try await ann.call(DropCommands.preview).photo)
            #expect(try await !ben.call(DropCommands.preview).photo)
            try await press(network, ann, ben)
            #expect(try await theirs(at: ben) == photo.thumbnail)
            #expect(try await theirs(at: ann) == nil)
            #expect(try !ben.databaseBytes().holds(photo.thumbnail))
            for host in [ann, ben] { try await host.call(DropCommands.accept) }
            try await network.pass(seconds: 4)
            let whole = try await ben.call(
                MateCommands.photo, .init(person: NameOrKey(ann.me.person)))
            let file = try #require(whole.file?.string)
            #expect(FileManager.default.contents(atPath: file) == Data(photo.jpeg))
        }
    }

    @Test func `neither a private photo nor one of a person who only receives is sent`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await people(network)
            _ = try await choose(ann)
            try await press(network, ann, ben, share: false)
            #expect(try await theirs(at: ben) == nil)
            try await ann.call(DropCommands.cancel)
            try await network.pass(seconds: 2)
            try await ann.call(ProfileCommands.edit, .init(keptPrivate: [.photo]))
            let preview = try await ann.call(DropCommands.preview)
            #expect(!preview.photo && preview.keptPrivate == [.photo])
            #expect(try await ann.call(DropCommands.photo).mine == nil)
            try await press(network, ann, ben)
            #expect(try await theirs(at: ben) == nil)
        }
    }

    @Test func `bytes that are no thumbnail by their structure are not shown`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await people(network)
            try await press(network, ann, ben)
            let drop = try #require(ann.plugin(ProximityDrop.self))
            let id = try #require(await drop.session.id)
            let bomb = DrawnPhotos.jpeg(
                of: PhotoSize(width: 60_000, height: 60_000), from: [1], bytesCount: 500)
            try await drop.received(
                TopicMessage(
                    topic: "drop", from: ben.me, space: nil,
                    body: DropMessage.thumbnail(id: id, bomb).encoded))
            #expect(try await theirs(at: ann) == nil)
            #expect(try await ann.call(DropCommands.show).phase == .deciding)
        }
    }
}
