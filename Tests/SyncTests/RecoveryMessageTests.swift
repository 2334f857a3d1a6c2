import Identity
import Records
import Testing

@testable import Sync

/// The bytes of the messages of a device that comes back.
struct RecoveryMessageTests {
    private let sender = DeviceKey().id

    private func read(_ type: UInt8, _ payload: [UInt8]) throws -> Message {
        try Message(type: type, payload: payload, sender: sender)
    }

    private func pairs(_ count: Int) -> [SpaceDescriptor] {
        (0..<count).map { _ in
            .between(PersonID(raw: DeviceKey().id.raw), PersonID(raw: DeviceKey().id.raw))
        }
    }

    @Test func `each message is read as it was written`() throws {
        var generator = SystemRandomNumberGenerator()
        let key = RecoveryWords(using: &generator).key
        let page = SpacePage(of: pairs(3), after: SpaceID(raw: .zero))
        for message in [
            Message.recoveryQuestion(try RecoveryQuestion(from: sender, to: sender, by: key)),
            .recoveryAnswer(nil), .askSpaces(after: SpaceID(raw: sender.raw)), .spaces(page),
        ] {
            #expect(message.versionMin == 3)
            #expect(try read(message.type, message.payload(sender: sender)) == message)
        }
    }

    @Test func `a page of 256 spaces is read, and one more is refused`() throws {
        let page = SpacePage(of: pairs(300), after: SpaceID(raw: .zero))
        #expect(page.spaces.count == 256)
        #expect(page.hasMore)
        #expect(throws: Never.self) {
            try read(21, Message.spaces(page).payload(sender: sender))
        }
        #expect(throws: RecordFault.overLimit("spaces", limit: 256)) {
            try read(21, [0, 0x81, 0x02])
        }
    }

    @Test func `spaces out of order, twice, of another kind or with bytes left over are refused`()
        throws
    {
        let sorted = pairs(2).sorted { $0.id < $1.id }
        func page(_ spaces: [SpaceDescriptor], more: UInt8 = 0) -> [UInt8] {
            [more, UInt8(spaces.count)]
                + spaces.flatMap { [UInt8($0.encoded.count)] + $0.encoded }
        }
        #expect(throws: Never.self) { try read(21, page(sorted)) }
        let me = PersonID(raw: sender.raw)
        for wrong in [
            page(sorted.reversed()), page([sorted[0], sorted[0]]), page([.own(me)]),
            page([.card(me)]), page([.open(name: "here")]), page(sorted) + [0], page([], more: 1),
            page(sorted, more: 2), [],
        ] {
            #expect(throws: RecordFault.self) { try read(21, wrong) }
        }
    }

    @Test func `an answer over the limit, and a question that is cut, are refused`() throws {
        #expect(throws: RecordFault.self) { try read(18, [UInt8](repeating: 1, count: 95)) }
        #expect(throws: RecordFault.self) { try read(18, [UInt8](repeating: 1, count: 97)) }
        #expect(throws: RecordFault.self) { try read(19, [0x81, 0x80, 0x01]) }
        #expect(throws: IdentityFault.self) { try read(19, [1, 1]) }
        #expect(throws: RecordFault.self) { try read(20, [UInt8](repeating: 0, count: 31)) }
    }
}
