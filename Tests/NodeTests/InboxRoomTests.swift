import NodeTestSupport
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

    /// Whether a person must wait for room for so many bytes.
    private func mustWait(
        _ person: PersonID, bytes: Int = 1, in room: InboxRoom
    ) async -> Bool {
        let link = Link()
        let isDone = Atomic<Bool>(false)
        async let isAdmitted = {
            defer { isDone.store(true, ordering: .relaxed) }
            return await room.reserve(bytes, for: person, link: link)
        }()
        while !isDone.load(ordering: .relaxed) {
            room.withdraw(link)
            await Task.yield()
        }
        guard await isAdmitted else { return true }
        room.release(bytes, of: person)
        return false
    }

    /// Takes all room but a byte, for as many people as that needs; returns them and their bytes.
    private func fill(_ room: InboxRoom) async -> [(person: PersonID, bytes: Int)] {
        var filled: [(person: PersonID, bytes: Int)] = []
        var bytes = InboxRoom.bytesMax / 2
        while bytes > 0 {
            let one = person(UInt8(100 + filled.count))
            #expect(await room.reserve(bytes, for: one, link: Link()))
            filled.append((one, bytes))
            bytes /= 2
        }
        return filled
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
        #expect(await room.reserve(pieceBytes / 2, for: person(11), link: Link()))
    }

    @Test func `a frame that decodes to much leaves room for another person's message`() async {
        let room = InboxRoom()
        let frameBytes = 16 * 1024 * 1024
        var count = 0
        // Each of two people sends the largest frames for as long as there is room.
        for one in [person(1), person(2)] {
            while await !mustWait(one, bytes: frameBytes, in: room) {
                #expect(await room.reserve(frameBytes, for: one, link: Link()))
                count += 1
            }
        }
        #expect(count == 3)
        #expect(await !mustWait(person(3), bytes: 4 * 1024 * 1024, in: room))
    }

    @Test func `who holds much does not overtake a waiting link of who holds nothing`() async {
        let room = InboxRoom()
        let (many, few) = (person(1), person(2))
        let half = InboxRoom.bytesMax / 2
        #expect(await room.reserve(half - 1000, for: many, link: Link()))
        let waiting = Task { await room.reserve(half / 2 + 1000, for: few, link: Link()) }
        #expect(await eventually { room.waitingCount == 1 })
        #expect(await mustWait(many, in: room))
        room.release(2000, of: many)
        #expect(await waiting.value)
    }

    @Test func `of two links that wait, that of the person who holds less goes on first`() async {
        let room = InboxRoom()
        let filled = await fill(room)
        let (many, few) = (filled[0].person, person(2))
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
        room.release(1, of: filled[filled.count - 1].person)
        await tasks[1].value
        #expect(order.people.withLock(\.self) == [few])
        for each in filled.dropLast() { room.release(each.bytes, of: each.person) }
        await tasks[0].value
        #expect(room.usedBytes == 2)
    }

    @Test func `an inbox that ends gives back its room, and its reader waits no longer`() async {
        let room = InboxRoom()
        let filled = await fill(room)
        do {
            let inbox = MessageInbox(room: room, person: person(2))
            let reader = Task {
                await inbox.add(wireBytes: 100) { .unshared(channel: 1) }
            }
            for _ in 0..<500 { await Task.yield() }
            inbox.finish()
            await reader.value
        }
        #expect(room.usedBytes == InboxRoom.bytesMax - 1)
        for each in filled { room.release(each.bytes, of: each.person) }
        do {
            let inbox = MessageInbox(room: room, person: person(2))
            await inbox.add(wireBytes: 100) { .unshared(channel: 1) }
            #expect(room.usedBytes > 0)
        }
        #expect(room.usedBytes == 0)
    }
}
