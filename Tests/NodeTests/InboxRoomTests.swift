import Records
import Synchronization
import Testing

@testable import Node

/// The memory for received messages, which all links share.
@Suite struct InboxRoomTests {
    private final class Link: Sendable {}

    private final class Order: Sendable {
        let people = Mutex<[PersonID]>([])
    }

    private func person(_ number: UInt8) -> PersonID {
        PersonID(raw: Digest.header.hash([number]))
    }

    /// Whether a person must wait for room.
    private func mustWait(_ person: PersonID, in room: InboxRoom) async -> Bool {
        let link = Link()
        let isDone = Atomic<Bool>(false)
        async let isAdmitted = {
            defer { isDone.store(true, ordering: .relaxed) }
            return await room.reserve(1, for: person, link: link)
        }()
        while !isDone.load(ordering: .relaxed) {
            room.withdraw(link)
            await Task.yield()
        }
        return await !isAdmitted
    }

    @Test func `each person gets half of what is free, so there is room for one more`() async {
        let room = InboxRoom()
        let pieceBytes = InboxRoom.bytesMax / 1024
        for number in 1...10 {
            let one = person(UInt8(number))
            for _ in 0..<1024 >> number {
                #expect(await room.reserve(pieceBytes, for: one, link: Link()))
            }
            #expect(await mustWait(one, in: room))
        }
        #expect(room.usedBytes == InboxRoom.bytesMax - pieceBytes)
        #expect(await room.reserve(pieceBytes, for: person(11), link: Link()))
    }

    @Test func `of two links that wait, that of the person who holds less goes on first`() async {
        let room = InboxRoom()
        let (many, few) = (person(1), person(2))
        #expect(await room.reserve(InboxRoom.bytesMax, for: many, link: Link()))
        let order = Order()
        var tasks: [Task<Void, Never>] = []
        for one in [many, few] {
            tasks.append(
                Task {
                    _ = await room.reserve(1, for: one, link: Link())
                    order.people.withLock { $0.append(one) }
                })
            for _ in 0..<500 { await Task.yield() }
        }
        #expect(order.people.withLock(\.self).isEmpty)
        // There is room for a person without messages, and for no other.
        room.release(1, of: many)
        await tasks[1].value
        #expect(order.people.withLock(\.self) == [few])
        room.release(InboxRoom.bytesMax - 1, of: many)
        await tasks[0].value
        #expect(room.usedBytes == 2)
    }

    @Test func `an inbox that ends gives back its room, and its reader waits no longer`() async {
        let room = InboxRoom()
        #expect(await room.reserve(InboxRoom.bytesMax, for: person(1), link: Link()))
        do {
            let inbox = MessageInbox(room: room, person: person(2))
            let reader = Task {
                await inbox.add(wireBytes: 100) { .unshared(channel: 1) }
            }
            for _ in 0..<500 { await Task.yield() }
            inbox.finish()
            await reader.value
        }
        #expect(room.usedBytes == InboxRoom.bytesMax)
        room.release(InboxRoom.bytesMax, of: person(1))
        do {
            let inbox = MessageInbox(room: room, person: person(2))
            await inbox.add(wireBytes: 100) { .unshared(channel: 1) }
            #expect(room.usedBytes > 0)
        }
        #expect(room.usedBytes == 0)
    }
}
