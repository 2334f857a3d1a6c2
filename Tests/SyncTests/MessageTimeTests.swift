import Records
import Sync
import Testing

/// Times in messages: the range that a peer may send, and equal bytes after decoding and encoding.
@Suite struct MessageTimeTests {
    private let sender = DeviceID(raw: Digest.person.hash([7]))

    @Test(arguments: [0, 1, 30_000, UInt64(Int64.max), UInt64(Int64.max) + 1, .max])
    func `an expiry of any 64 bits is encoded as it was decoded`(milliseconds: UInt64) throws {
        var bytes: [UInt8] = []
        bytes.append(varint: 1)
        bytes.append(text: "location")
        bytes.append(varint: 2)
        bytes.append(varint: milliseconds)
        bytes.append(varint: 0)
        let message = try Message(type: 8, payload: bytes, sender: sender)
        #expect(message.payload(sender: sender) == bytes)
    }

    @Test func `the latest clock is accepted, and one a millisecond later is refused`() throws {
        let latest = UInt64(Timestamp.millisecondsMax)
        let pong = try Message(type: 11, payload: payload(clock: latest), sender: sender)
        #expect(pong == .pong(nonce: 5, wallTime: .max))
        #expect(pong.payload(sender: sender) == payload(clock: latest))
        for clock in [latest + 1, UInt64.max] {
            #expect(throws: RecordFault.notCanonical("a clock out of range")) {
                try Message(type: 11, payload: payload(clock: clock), sender: sender)
            }
        }
    }

    private func payload(clock: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt64(5))
        bytes.append(bigEndian: clock)
        return bytes
    }
}
