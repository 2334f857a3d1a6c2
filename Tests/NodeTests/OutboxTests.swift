import Records
import Testing

@testable import Node
@testable import Sync

@Suite struct OutboxTests {
    /// Removes all items and returns the nonces of the PONGs among them, and how many others.
    private func drain(_ outbox: Outbox) async -> (nonces: [UInt64], othersCount: Int) {
        outbox.finish()
        var (nonces, othersCount) = ([UInt64](), 0)
        while let item = await outbox.next() {
            if case .pong(let nonce) = item { nonces.append(nonce) } else { othersCount += 1 }
        }
        return (nonces, othersCount)
    }

    @Test func `many answers to PING in a row become one, with the last nonce`() async {
        let outbox = Outbox()
        let areQueued = (1...100_000).map { outbox.put(.pong(nonce: $0)) }
        #expect(areQueued.allSatisfy { $0 })
        #expect(await drain(outbox).nonces == [100_000])
    }

    @Test func `an answer to PING stays behind the answers before it`() async throws {
        let outbox = Outbox()
        #expect(outbox.put(.pong(nonce: 1)))
        #expect(outbox.put(.message(.none(channel: 0))))
        #expect(outbox.put(.pong(nonce: 2)))
        let first = try #require(await outbox.next())
        guard case .pong(1) = first else {
            Issue.record("\(first) came first")
            return
        }
        #expect(await drain(outbox) == ([2], 1))
    }

    @Test func `the last item that fits is queued and the next is not`() async {
        let outbox = Outbox()
        for _ in 0..<Outbox.itemsMax { #expect(outbox.put(.message(.none(channel: 0)))) }
        #expect(!outbox.put(.message(.none(channel: 0))))
        _ = await outbox.next()
        #expect(outbox.put(.message(.none(channel: 0))))
        #expect(await drain(outbox).othersCount == Outbox.itemsMax)
    }

    @Test func `long messages fill the queue by their memory`() async {
        let outbox = Outbox()
        let entries = [Have.Entry](
            repeating: .init(token: Token(rawValue: 0), digest: Bytes16.zero),
            count: Limits.linkSpacesMax)
        let message = Message.have(Have(round: .answer, entries: entries))
        let fittingCount = Outbox.bytesMax / message.memoryBytes
        for _ in 0..<fittingCount { #expect(outbox.put(.message(message))) }
        #expect(!outbox.put(.message(message)))
        _ = await outbox.next()
        #expect(outbox.put(.message(message)))
        #expect(await drain(outbox).othersCount == fittingCount)
    }

    @Test func `a sender that waits gets the next item, and nil at the end`() async {
        let outbox = Outbox()
        let sender = Task {
            var count = 0
            while await outbox.next() != nil { count += 1 }
            return count
        }
        for channel in 0..<1000 {
            #expect(outbox.put(.message(.none(channel: UInt64(channel)))))
            if channel % 10 == 0 { await Task.yield() }
        }
        outbox.finish()
        #expect(await sender.value == 1000)
    }

    @Test func `a discarded queue sends what is put into it later, and no more batches`() async {
        let outbox = Outbox()
        let log = LogName(device: DeviceID(raw: .zero), branch: .main)
        let space = SpaceID(raw: .zero)
        #expect(outbox.put(.log(space, log, after: 0, prefix: 0, channel: 0)))
        #expect(outbox.put(.pong(nonce: 1)))
        #expect(outbox.mayReadLogs)
        outbox.discard()
        #expect(!outbox.mayReadLogs)
        #expect(outbox.put(.pong(nonce: 2)))
        #expect(await drain(outbox) == ([2], 0))
    }
}
