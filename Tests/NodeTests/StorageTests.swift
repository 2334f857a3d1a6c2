import FeaturesAPI
import NodeAPI
import NodeTestSupport
import PluginKit
import TestSupport
import Testing

@testable import Node
@testable import Replica

/// The limits of what a node stores, as a person sees and changes them.
@Suite(.serialized) struct StorageTests {
    @Test func `a node shows what it stores and its limits, and keeps changed ones over a restart`()
        async throws
    {
        var node = try await RunningNode.start()
        try await node.call(ProfileCommands.edit, Meeting.profile("Ana", dog: "Rex"))
        let usual = try await node.call(NodeCommands.storage)
        #expect(usual.authorBytesMax == 67_108_864)
        #expect(usual.totalBytesMax == 2_147_483_648)
        #expect(usual.freeBytesMin == 209_715_200)
        #expect(usual.usedBytes.value > 160)
        #expect(usual.freeBytes?.value ?? 0 > 0)
        #expect(usual.full == [])
        #expect(usual.photos.arrivingBytes == 0 && usual.photos.arrivingBytesMax == 268_435_456)
        #expect(try await node.call(NodeCommands.status).storage.full == [])

        let changed = try await node.call(
            NodeCommands.setStorage, .init(authorMebibytes: Whole(8), freeMebibytes: Whole(0)))
        #expect(changed.authorBytesMax == 8_388_608)
        #expect(changed.totalBytesMax == usual.totalBytesMax)
        try await node.stop()
        node = try await RunningNode.start(node.home)
        let kept = try await node.call(NodeCommands.storage)
        #expect(kept.authorBytesMax == 8_388_608)
        #expect(kept.freeBytesMin == 0)
        // The key of announcements may have been written after the first look.
        #expect(kept.usedBytes.value >= usual.usedBytes.value)
        try await node.remove()
    }

    @Test func `parts of content that has not arrived whole are shown beside the whole`() {
        let use = ContentUse(
            filesCount: 2, bytesCount: 3000, evictableBytes: 4000, arrivingBytes: 5000)
        let report = StorageReport(
            quota: StorageQuota(arrivingBytesMax: 6000), usedBytes: 0, freeBytes: nil, full: [])
        let photos = Storage(report, use).photos
        #expect(photos.bytes == 3000 && photos.evictableBytes == 4000)
        #expect(photos.arrivingBytes == 5000 && photos.arrivingBytesMax == 6000)
    }

    @Test func `a limit of no mebibyte is refused`() async throws {
        let node = try await RunningNode.start()
        await #expect(throws: CommandFault.self) {
            // No request can hold this number, so it is the raw argument.
            try await node.answer(
                to: NodeCommands.setStorage.declaration, ["totalMebibytes": 0])
        }
        try await node.remove()
    }
}
