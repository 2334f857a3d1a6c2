import ControlAPI
import FeaturesAPI
import Foundation
import NodeAPI
import NodeTestSupport
import PluginKit
import TestSupport
import Testing

@testable import Node

/// Photos that lost bytes on the disk, on the nodes of two mates.
@Suite(.serialized) struct DamagedPhotoTests {
    /// Bob's node, which has stopped after it fetched Ana's photo; then its copy lost a byte.
    private struct Damaged {
        let meeting: Meeting
        let photo: [UInt8]
        var ana: RunningNode { meeting.one }

        static func make() async throws -> Damaged {
            let meeting = try await Meeting.mates()
            try await meeting.one.call(ProfileCommands.photo, .init(file: FilePath.picture()))
            let ana = NameOrKey(try await meeting.one.person)
            let photo = try #require(await DamagedPhotoTests.photo(of: ana, at: meeting.other))
            try await meeting.other.stop()
            try meeting.other.damagePhotos()
            return Damaged(meeting: meeting, photo: photo)
        }

        /// Starts Bob's node on the port that Ana's dials.
        func start() async throws -> RunningNode {
            try await RunningNode.start(meeting.other.home, port: meeting.other.port)
        }
    }

    /// Waits for the photo of a mate, and returns its bytes; nil if it does not come.
    private static func photo(of mate: NameOrKey, at node: RunningNode) async -> [UInt8]? {
        let request = PhotoRequest(person: mate)
        let isHere = await eventually {
            (try? await node.call(MateCommands.photo, request))?.file != nil
        }
        guard isHere, let file = try? await node.call(MateCommands.photo, request).file,
            let bytes = try? Data(contentsOf: URL(fileURLWithPath: file.string))
        else { return nil }
        return Array(bytes)
    }

    @Test func `verify names a mate's damaged photo, which is fetched again from the mate`()
        async throws
    {
        let damaged = try await Damaged.make()
        let ana = NameOrKey(try await damaged.ana.person)
        let bob = try await damaged.start()
        try await bob.wait(for: NodeCommands.status) { $0.links.count == 1 }
        let verdict = try await bob.call(NodeCommands.verify, .init())
        let named = try #require(verdict.photos.first)
        #expect(verdict.photos.count == 1 && named.mended)
        #expect(named.bytes.value == damaged.photo.count)
        #expect(await Self.photo(of: ana, at: bob) == damaged.photo)
        #expect(try await bob.call(NodeCommands.verify, .init()).photos.isEmpty)
        try await bob.remove()
        try await damaged.ana.remove()
    }

    @Test func `with no one near, a damaged photo is gone until the mate is back`() async throws {
        let damaged = try await Damaged.make()
        let (home, port) = (damaged.ana.home, damaged.ana.port)
        let ana = NameOrKey(try await damaged.ana.person)
        try await damaged.ana.stop()
        let bob = try await damaged.start()
        let verdict = try await bob.call(NodeCommands.verify, .init())
        #expect(verdict.photos.map(\.mended) == [false])
        let missing = try await bob.call(MateCommands.photo, .init(person: ana))
        #expect(!missing.here && missing.file == nil)
        let back = try await RunningNode.start(home, port: port)
        #expect(await Self.photo(of: ana, at: bob) == damaged.photo)
        try await bob.remove()
        try await back.remove()
    }
}
