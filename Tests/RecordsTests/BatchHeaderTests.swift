import Records
import TestSupport
import Testing

@Suite struct BatchHeaderTests {
    private func header(seed: UInt64 = 1, number: UInt64 = 7) -> BatchHeader {
        var generator = SeededGenerator(seed: seed)
        return BatchHeader(
            space: SpaceID(raw: generator.bytes32()), log: generator.head().log, number: number,
            previous: BatchHash(raw: generator.bytes32()), epoch: generator.next(),
            stamp: Stamp(Timestamp(milliseconds: Int64(generator.number(0...1 << 40)))),
            bodyHash: generator.bytes32())
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `a header is unchanged after its one encoding of 185 bytes`(seed: UInt64) throws {
        let header = header(seed: seed)
        #expect(header.encoded.count == BatchHeader.encodedBytesCount)
        #expect(try BatchHeader(decoding: header.encoded) == header)
        try expectCanonical(header.encoded) { try BatchHeader(decoding: $0).encoded }
    }

    @Test func `numbers 1 and 2⁴⁰ − 1 are read, 0 and 2⁴⁰ are refused`() throws {
        for number in [1, 1 << 40 - 1] as [UInt64] {
            #expect(try BatchHeader(decoding: header(number: number).encoded).number == number)
        }
        for number in [0, 1 << 40, .max] as [UInt64] {
            #expect(throws: RecordFault.overLimit("a batch number", limit: 1 << 40 - 1)) {
                try BatchHeader(decoding: header(number: number).encoded)
            }
        }
    }

    @Test func `another version is refused by its number`() {
        var bytes = header().encoded
        bytes[0] = 2
        #expect(throws: RecordFault.unknownVersion(2)) { try BatchHeader(decoding: bytes) }
    }

    @Test func `a stamp of 2⁶³ is refused`() {
        var bytes = header().encoded
        bytes[145] = 0x80
        #expect(throws: RecordFault.notCanonical("a stamp of 2⁶³ or more")) {
            try BatchHeader(decoding: bytes)
        }
    }

    @Test func `each operation of a batch has its own dot`() {
        let hash = header().hash
        let dots = Set((0..<100).map { Dot(batch: hash, operationIndex: $0) })
        #expect(dots.count == 100)
    }
}
