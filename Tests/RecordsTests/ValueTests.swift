import Records
import TestSupport
import Testing

@Suite struct ValueTests {
    private func encode(_ value: Value) -> [UInt8] {
        var bytes: [UInt8] = []
        value.encode(into: &bytes)
        return bytes
    }

    private func decode(_ bytes: [UInt8]) throws(RecordFault) -> Value {
        var reader = ByteReader(bytes)
        let value = try Value(from: &reader)
        try reader.finish()
        return value
    }

    @Test func `a value is unchanged after encoding`() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            let value = generator.value()
            #expect(try decode(encode(value)) == value)
        }
    }

    @Test func `a value has one encoding`() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<60 {
            try expectCanonical(encode(generator.value())) { encode(try decode($0)) }
        }
    }

    @Test func `every pair of first bytes has one meaning or none`() {
        for first in UInt8.min ... .max {
            for second in UInt8.min ... .max {
                let bytes = [first, second]
                guard let value = try? decode(bytes), encode(value) != bytes else { continue }
                Issue.record("\(bytes) is decoded and encoded differently")
            }
        }
    }

    @Test func `a negative zero, an infinity and a NaN are refused`() {
        for number in [-0.0, .infinity, -.infinity, .nan, .signalingNaN] as [Double] {
            var bytes: [UInt8] = [3]
            bytes.append(bigEndian: number.bitPattern)
            #expect(
                throws: RecordFault.notCanonical(
                    "a number that is not finite, or a negative zero")
            ) { try decode(bytes) }
        }
    }

    @Test func `a negative zero is encoded as zero`() throws {
        #expect(encode(.real(-0.0)) == encode(.real(0)))
    }

    @Test func `text of 30 bytes has a short head, text of 31 bytes a long one`() throws {
        #expect(encode(.text(String(repeating: "a", count: 30))).count == 31)
        #expect(encode(.text(String(repeating: "a", count: 31))).count == 33)
        #expect(throws: RecordFault.notCanonical("a length in its long form")) {
            try decode([2 << 5 | 31, 30] + [UInt8](repeating: 97, count: 30))
        }
    }

    @Test func `text and bytes at their limit are read and one past it is refused`() throws {
        let limit = Limits.valueBytesMax
        let text = Value.text(String(repeating: "a", count: limit))
        #expect(try decode(encode(text)) == text)
        let bytes = Value.bytes([UInt8](repeating: 7, count: limit))
        #expect(try decode(encode(bytes)) == bytes)
        for value in [
            Value.text(String(repeating: "a", count: limit + 1)),
            .bytes([UInt8](repeating: 7, count: limit + 1)),
        ] {
            #expect(throws: RecordFault.overLimit("a value's length", limit: limit)) {
                try decode(encode(value))
            }
        }
    }

    @Test func `a list at its limit is read and one past it is refused`() throws {
        let limit = Limits.listElementsMax
        let list = Value.list([Value](repeating: .null, count: limit))
        #expect(try decode(encode(list)) == list)
        #expect(throws: RecordFault.overLimit("a value's length", limit: limit)) {
            try decode(encode(.list([Value](repeating: .null, count: limit + 1))))
        }
    }

    @Test func `a list in a list is refused, however deep`() {
        #expect(throws: RecordFault.unknownTag("value", 0x81)) { try decode([0x81, 0x81, 0]) }
        let deep = [UInt8](repeating: 0x81, count: 200_000)
        #expect(throws: RecordFault.unknownTag("value", 0x81)) { try decode(deep) }
    }

    @Test func `a length of eight exabytes is refused before anything is allocated`() {
        let huge: [UInt8] = [UInt8](repeating: 0xff, count: 8) + [0x7f]
        for kind in [2, 3, 4] as [UInt8] {
            #expect(throws: RecordFault.self) { try decode([kind << 5 | 31] + huge) }
        }
    }
}
