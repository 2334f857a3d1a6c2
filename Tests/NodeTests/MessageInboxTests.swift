import Records
import Synchronization
import Testing

@testable import Node
@testable import Sync

@Suite struct MessageInboxTests {
    /// A message whose operations take 64 times its length on the wire.
    private static func push() throws -> Message {
        let accepts = [Operation](
            repeating: Operation(control: .accept), count: Limits.batchOperationsMax)
        let run = Run(
            log: LogName(device: DeviceID(raw: .zero)), firstNumber: 1, epoch: 0,
            batches: (1...16).map {
                .init(stamp: Stamp(Timestamp(milliseconds: $0)), body: BatchBody(accepts))
            },
            signature: try #require(Signature([UInt8](repeating: 0, count: 64))))
        return .push(Push(channel: 0, run: run))
    }

    @Test func `a message counts as decoded, at least the size of its operations`() throws {
        let operationsBytes =
            16 * Limits.batchOperationsMax * MemoryLayout<Operation>.stride
        let bytes = try Self.push().memoryBytes
        #expect(bytes >= operationsBytes)
        #expect(bytes < operationsBytes * 3 / 2)
    }

    @Test func `the reader waits while messages that decode to half the room wait or are handled`()
        async throws
    {
        let inbox = MessageInbox(room: InboxRoom(), person: PersonID(raw: .zero))
        let push = try Self.push()
        let fittingCount = InboxRoom.bytesMax / 2 / push.memoryBytes
        let putCount = Atomic<Int>(0)
        let reader = Task {
            for _ in 0..<3 * fittingCount {
                await inbox.add(wireBytes: 0) { .message(push) }
                putCount.add(1, ordering: .relaxed)
            }
            inbox.finish()
        }
        var takenCount = 0
        while let (items, _) = await inbox.drain() {
            takenCount += items.count
            // At most one more message than fits was added, and removed messages still count.
            for _ in 0..<100 { await Task.yield() }
            #expect(items.count <= fittingCount + 1)
            #expect(putCount.load(ordering: .relaxed) <= takenCount + fittingCount)
        }
        await reader.value
        #expect(takenCount == 3 * fittingCount)
    }
}
