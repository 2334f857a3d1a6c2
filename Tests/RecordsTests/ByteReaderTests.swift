import Records
import TestSupport
import Testing

@Suite struct ByteReaderTests {
    private func varint(_ bytes: [UInt8]) throws(RecordFault) -> UInt64 {
        var reader = ByteReader(bytes)
        let value = try reader.varint()
        try reader.finish()
        return value
    }

    @Test func `a varint is unchanged after encoding at every number of bits`() throws {
        for shift in 0..<64 as Range<UInt64> {
            for value: UInt64 in [1 << shift, 1 << shift - 1, .max >> shift] {
                var bytes: [UInt8] = []
                bytes.append(varint: value)
                #expect(try varint(bytes) == value)
            }
        }
    }

    @Test func `a varint with a leading zero is refused`() {
        #expect(throws: RecordFault.notCanonical("a varint with a leading zero")) {
            try varint([0x80, 0x00])
        }
        #expect(throws: RecordFault.notCanonical("a varint with a leading zero")) {
            try varint([0xff, 0x80, 0x00])
        }
    }

    @Test func `a varint of 64 bits is read and one of 65 is refused`() throws {
        let nines = [UInt8](repeating: 0xff, count: 9)
        #expect(try varint(nines + [0x01]) == .max)
        #expect(throws: RecordFault.notCanonical("a varint over 64 bits")) {
            try varint(nines + [0x02])
        }
        #expect(throws: RecordFault.notCanonical("a varint over 64 bits")) {
            try varint(nines + [0x81, 0x00])
        }
    }

    @Test func `zigzag is unchanged after encoding for every size and sign`() throws {
        var generator = SeededGenerator(seed: 1)
        let numbers = (0..<500).map { _ in generator.integer() } + [.min, .max, 0, -1]
        for number in numbers {
            var bytes: [UInt8] = []
            bytes.append(zigzag: number)
            var reader = ByteReader(bytes)
            #expect(try reader.zigzag() == number)
            #expect(reader.isAtEnd)
        }
    }

    @Test func `a count at its limit is read and one past it is refused`() throws {
        var reader = ByteReader([100, 101])
        #expect(try reader.count("things", limit: 100) == 100)
        #expect(throws: RecordFault.overLimit("things", limit: 100)) {
            try reader.count("things", limit: 100)
        }
    }

    @Test func `the largest possible count is refused before anything is allocated`() {
        var reader = ByteReader([UInt8](repeating: 0xff, count: 9) + [0x01])
        #expect(throws: RecordFault.overLimit("things", limit: 5)) {
            try reader.count("things", limit: 5)
        }
    }

    @Test func `text that is not UTF-8 is refused`() {
        for bytes in [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]] as [[UInt8]] {
            var reader = ByteReader([UInt8(bytes.count)] + bytes)
            #expect(throws: RecordFault.notUTF8) { try reader.text("a name", limit: 10) }
        }
    }

    @Test func `reading past the end is refused and does not move the reader`() throws {
        var reader = ByteReader([1, 2, 3])
        #expect(throws: RecordFault.truncated) { try reader.bytes(4) }
        #expect(throws: RecordFault.truncated) { try reader.bytes(-1) }
        #expect(throws: RecordFault.truncated) { try reader.integer(UInt32.self) }
        #expect(try Array(reader.bytes(3)) == [1, 2, 3])
        #expect(throws: RecordFault.truncated) { try reader.byte() }
    }

    @Test func `bytes after the end are refused`() {
        let reader = ByteReader([1, 2])
        #expect(throws: RecordFault.trailingBytes(count: 2)) { try reader.finish() }
    }
}
