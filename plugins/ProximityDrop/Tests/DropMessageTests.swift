import PluginKit
import Records
import TestSupport
import Testing

@testable import ProximityDrop

@Suite struct DropMessageTests {
    private static let id = Bytes16([UInt8](repeating: 1, count: 16)) ?? .zero
    private static let nonce = Bytes32([UInt8](repeating: 2, count: 32)) ?? .zero

    private static let card = DropCard(
        ProfileFields(
            nickname: "Ann", dogName: "Bori", age: 4, sex: .female, neutered: true, size: .big,
            keywords: [.shy, .smart]))

    private static let messages: [DropMessage] = [
        .offer(commitment: nonce), .bump(commitment: nonce), .reveal(id: id, nonce: nonce),
        .card(id: id, card.encoded),
        .card(id: id, []), .state(id: id, DropState(hasYourCard: true, answer: .decline)),
        .state(
            id: id,
            DropState(hasYourCard: false, answer: .accept, sawYourAnswer: true, asks: true)),
        .end(commitment: nonce, .cancelled), .end(commitment: nonce, .failed),
        .state(id: id, DropState(hasYourCard: true, hasYourThumbnail: true)),
        .thumbnail(id: id, [0xff]),
    ]

    @Test(arguments: messages)
    func `a message is read back unchanged, and is refused when shorter or longer`(
        _ message: DropMessage
    ) throws {
        let bytes = message.encoded
        #expect(try DropMessage(decoding: bytes) == message)
        let hasOpenEnd = bytes[1] == 3 || bytes[1] == 6
        for count in 0..<bytes.count where count < 18 || !hasOpenEnd {
            #expect(throws: RecordFault.self) {
                try DropMessage(decoding: Array(bytes.prefix(count)))
            }
        }
        if !hasOpenEnd {
            #expect(throws: RecordFault.trailingBytes(count: 1)) {
                try DropMessage(decoding: bytes + [0])
            }
        }
    }

    @Test func `the bytes are those that the protocol page describes`() throws {
        let offer = DropMessage.offer(commitment: Self.nonce).encoded
        #expect(Hexadecimal.text(offer) == "0101" + String(repeating: "02", count: 32))
        let state = DropMessage.state(
            id: Self.id,
            DropState(hasYourCard: true, answer: .accept, sawYourAnswer: true, asks: true))
        #expect(
            Hexadecimal.text(state.encoded) == "0104" + String(repeating: "01", count: 16) + "1b")
        let card = Self.card
        #expect(
            Hexadecimal.text(DropCard(ProfileFields(nickname: "Ann", age: 4)).encoded)
                == "0143416e6e032008")
        #expect(
            Hexadecimal.text(card.encoded)
                == "0143416e6e" + "0244426f7269" + "032008" + "044666656d616c65" + "0502"
                + "0643626967" + "07824373687945736d617274")
        #expect(try DropCard(decoding: card.encoded) == card)
    }

    @Test func `unknown versions, kinds, states and ends are refused`() {
        #expect(throws: RecordFault.unknownVersion(2)) { try DropMessage(decoding: [2, 1]) }
        #expect(throws: RecordFault.unknownTag("drop message", 8)) {
            try DropMessage(decoding: [1, 8])
        }
        for state: UInt8 in [6, 64, 255] {
            #expect(throws: RecordFault.unknownTag("state of a drop", UInt64(state))) {
                try DropMessage(decoding: [1, 4] + Self.id.bytes + [state])
            }
        }
        #expect(throws: RecordFault.unknownTag("end of a drop", 4)) {
            try DropMessage(decoding: [1, 5] + Self.nonce.bytes + [4])
        }
    }

    @Test func `a card of 4096 bytes is accepted and one of 4097 refused`() throws {
        let head: [UInt8] = [1, 3] + Self.id.bytes
        _ = try DropMessage(decoding: head + [UInt8](repeating: 0, count: 4096))
        #expect(throws: RecordFault.overLimit("a card's bytes", limit: 4096)) {
            try DropMessage(decoding: head + [UInt8](repeating: 0, count: 4097))
        }
    }

    @Test func `a thumbnail of 8192 bytes is accepted, one of 8193 and an empty one refused`()
        throws
    {
        let head: [UInt8] = [1, 6] + Self.id.bytes
        _ = try DropMessage(decoding: head + [UInt8](repeating: 0, count: 8192))
        #expect(throws: RecordFault.overLimit("a thumbnail's bytes", limit: 8192)) {
            try DropMessage(decoding: head + [UInt8](repeating: 0, count: 8193))
        }
        #expect(throws: RecordFault.truncated) { try DropMessage(decoding: head) }
    }

    @Test func `field 8 says that a side reads thumbnails, and only if it is true`() throws {
        let plain = DropCard(ProfileFields(nickname: "Ann")).encoded
        let reading = DropCard(ProfileFields(nickname: "Ann"), readsThumbnails: true)
        #expect(reading.encoded == plain + [8, 2])
        #expect(try DropCard(decoding: reading.encoded) == reading)
        for other: [UInt8] in [[8, 1], [8, 0], [8, 0x41, 0x31]] {
            #expect(try !DropCard(decoding: plain + other).readsThumbnails)
        }
        #expect(reading.withoutFields.isEmpty && reading.withoutFields.readsThumbnails)
    }

    @Test func `a card of 16 fields is accepted and one of 17 refused`() throws {
        let fields = { (count: UInt8) -> [UInt8] in (1...count).flatMap { [$0, UInt8(0)] } }
        _ = try DropCard(decoding: fields(16))
        #expect(throws: RecordFault.overLimit("a card's fields", limit: 16)) {
            try DropCard(decoding: fields(17))
        }
    }

    @Test func `fields of a newer version are skipped and falling numbers refused`() throws {
        var bytes = DropCard(ProfileFields(nickname: "Ann")).encoded
        bytes += [9, 2]
        #expect(try DropCard(decoding: bytes) == DropCard(ProfileFields(nickname: "Ann")))
        #expect(throws: RecordFault.notCanonical("the order of a card's fields")) {
            try DropCard(decoding: [2, 0, 1, 0])
        }
    }

    @Test func `a value of another type and an unknown word are skipped, the rest is kept`() throws
    {
        var bytes: [UInt8] = []
        let values: [Value] = [
            .integer(7), .text("Bori"), .real(4), .text("dragon"), .integer(1), .boolean(true),
            .list([.text("smart"), .integer(1), .text("evil"), .text("shy")]),
        ]
        for (index, value) in values.enumerated() {
            bytes.append(UInt8(index + 1))
            value.encode(into: &bytes)
        }
        let expected = ProfileFields(
            dogName: "Bori", age: 4, neutered: true, keywords: [.smart, .shy])
        #expect(try DropCard(decoding: bytes).fields == expected)
    }

    @Test func `random bytes are refused and never trap`() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<5000 {
            let bytes =
                [1, UInt8(generator.number(0...7))] + generator.bytes(generator.number(0...80))
            guard let message = try? DropMessage(decoding: bytes) else { continue }
            #expect(message.encoded == bytes)
            if case .card(_, let card) = message { _ = try? DropCard(decoding: card) }
        }
    }

    @Test func `the transcript is the same on both sides and depends on keys and nonces`() {
        let (one, other) = (DeviceID(raw: .zero), DeviceID(raw: Self.nonce))
        let mine = DropTranscript((one, .zero), (other, Self.nonce))
        #expect(mine == DropTranscript((other, Self.nonce), (one, .zero)))
        #expect(mine != DropTranscript((one, Self.nonce), (other, .zero)))
        #expect(mine.checkCode.count == 6 && mine.checkCode.allSatisfy(\.isWholeNumber))
        #expect(DropTranscript.id(.zero, Self.nonce) == DropTranscript.id(Self.nonce, .zero))
    }
}
