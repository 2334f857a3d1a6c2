import Records
import TestSupport
import Testing

@Suite struct SpaceDescriptorTests {
    private let low = PersonID(raw: .zero)
    private let high = PersonID(raw: Bytes32([UInt8](repeating: 1, count: 32)) ?? .zero)

    private var all: [SpaceDescriptor] {
        [
            .own(high), .card(high), .pair(low, high), .group(owner: high, nonce: .zero),
            .open(name: "Seoul, 성수동"),
        ]
    }

    @Test func `every kind is unchanged after encoding and has one encoding`() throws {
        for descriptor in all {
            #expect(try SpaceDescriptor(decoding: descriptor.encoded) == descriptor)
            try expectCanonical(descriptor.encoded) { try SpaceDescriptor(decoding: $0).encoded }
        }
    }

    @Test func `every space has its own id`() {
        #expect(Set(all.map(\.id)).count == all.count)
        #expect(SpaceDescriptor.own(high).id != SpaceDescriptor.own(low).id)
    }

    @Test func `a pair is one space in either order`() {
        #expect(SpaceDescriptor.between(low, high).id == SpaceDescriptor.between(high, low).id)
    }

    @Test func `a pair in the other order, or of one person, is refused`() {
        for pair in [SpaceDescriptor.pair(high, low), .pair(low, low)] {
            #expect(throws: RecordFault.notCanonical("a pair's order")) {
                try SpaceDescriptor(decoding: pair.encoded)
            }
        }
    }

    @Test func `a name of 64 bytes is read and one of 65 is refused`() throws {
        let limit = Limits.topicBytesMax
        let atLimit = SpaceDescriptor.open(name: String(repeating: "a", count: limit))
        #expect(try SpaceDescriptor(decoding: atLimit.encoded) == atLimit)
        let over = SpaceDescriptor.open(name: String(repeating: "a", count: limit + 1))
        #expect(throws: RecordFault.overLimit("a name", limit: limit)) {
            try SpaceDescriptor(decoding: over.encoded)
        }
    }

    @Test func `an unknown kind is refused`() {
        for kind in [0, 6, 255] as [UInt8] {
            #expect(throws: RecordFault.unknownTag("kind of space", UInt64(kind))) {
                try SpaceDescriptor(decoding: [kind] + [UInt8](repeating: 0, count: 32))
            }
        }
    }

    @Test func `owners write own and card spaces, both people a pair, everyone an open space`() {
        #expect(SpaceDescriptor.card(high).isWriter(high))
        #expect(!SpaceDescriptor.card(high).isWriter(low))
        #expect(!SpaceDescriptor.own(high).isWriter(low))
        #expect(SpaceDescriptor.pair(low, high).isWriter(low))
        #expect(SpaceDescriptor.pair(low, high).isWriter(high))
        #expect(SpaceDescriptor.open(name: "x").isWriter(low))
    }
}
