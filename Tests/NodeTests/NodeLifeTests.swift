import PluginKit
import Testing

@testable import Node

/// The end of a node: it ends once, and only a failed deletion is undone.
struct NodeLifeTests {
    private let ended: AsyncStream<Never>
    private let life: NodeLife

    init() {
        let (ended, stopRequest) = AsyncStream.makeStream(of: Never.self)
        (self.ended, life) = (ended, NodeLife(stopRequest: stopRequest))
    }

    @Test func `a node that begins anew requests its end and says why`() async {
        var life = life
        life.beginAnew(because: Notice(kind: .newDevice, reference: "a", text: "New.", at: .min))
        for await _ in ended {}
        #expect(life.reasonToBeginAnew?.reference == "a")
        #expect(!life.isDeleted && !life.isStopping)
    }

    @Test func `a deletion that failed leaves the node as it was`() {
        var life = life
        life.beginLeaving()
        #expect(life.isLeaving)
        life.giveUpLeaving()
        #expect(!life.isLeaving && !life.isDeleted)
    }

    @Test func `a deletion that succeeded requests the end of the node and of its home`() async {
        var life = life
        life.beginLeaving()
        life.finishLeaving()
        for await _ in ended {}
        #expect(life.isLeaving && life.isDeleted)
    }
}
