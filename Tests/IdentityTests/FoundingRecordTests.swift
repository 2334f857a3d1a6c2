import Identity
import Records
import Testing

@Suite struct FoundingRecordTests {
    private let record = Family(seed: 51).founding

    @Test func `a record is unchanged after encoding in 65 bytes`() throws {
        #expect(record.encoded.count == FoundingRecord.encodedBytesCount)
        #expect(try FoundingRecord(decoding: record.encoded) == record)
    }

    @Test func `every changed bit founds another person or is refused`() {
        for bit in 0..<record.encoded.count * 8 {
            var bytes = record.encoded
            bytes[bit / 8] ^= 1 << (bit % 8)
            if let other = try? FoundingRecord(decoding: bytes) {
                #expect(other.encoded == bytes)
                #expect(other.person != record.person)
            }
        }
    }

    @Test func `another version, a byte too few and a byte too many are refused`() {
        #expect(throws: RecordFault.unknownVersion(2)) {
            try FoundingRecord(decoding: [2] + record.encoded.dropFirst())
        }
        #expect(throws: RecordFault.truncated) {
            try FoundingRecord(decoding: record.encoded.dropLast())
        }
        #expect(throws: RecordFault.trailingBytes(count: 1)) {
            try FoundingRecord(decoding: record.encoded + [0])
        }
    }
}
