import Foundation
import Records
import TestSupport
import Testing

@Suite struct IdentifierTests {
    @Test func `32 and 16 bytes keep their order`() {
        var generator = SeededGenerator(seed: 31)
        for _ in 0..<100 {
            let (long, short) = (generator.bytes(32), generator.bytes(16))
            #expect(Bytes32(long)?.bytes == long)
            #expect(Bytes16(short)?.bytes == short)
        }
    }

    @Test func `another number of bytes is not an identifier`() {
        for count in [0, 15, 17, 31, 33, 64] {
            let bytes = [UInt8](repeating: 1, count: count)
            #expect(Bytes32(bytes) == nil)
            #expect(Bytes16(bytes) == nil)
            #expect(Signature(bytes) == nil || count == 64)
        }
    }

    @Test func `identifiers are ordered as their bytes`() {
        var generator = SeededGenerator(seed: 32)
        for _ in 0..<500 {
            var (left, right) = (generator.bytes(32), generator.bytes(32))
            let shared = generator.number(0...32)
            right.replaceSubrange(..<shared, with: left[..<shared])
            #expect((Bytes32(left)! < Bytes32(right)!) == left.lexicographicallyPrecedes(right))
            (left, right) = (Array(left.prefix(16)), Array(right.prefix(16)))
            #expect((Bytes16(left)! < Bytes16(right)!) == left.lexicographicallyPrecedes(right))
        }
    }

    @Test func `an identifier is written in lower-case hexadecimal only`() throws {
        let text = String(repeating: "0123456789abcdef", count: 4)
        let id = try #require(DeviceID(text))
        #expect(id.description == text)
        #expect(id.suffix == "012345")
        for wrong in [
            text.uppercased(), String(text.dropLast()), text + "00", " " + text.dropLast(),
        ] {
            #expect(DeviceID(wrong) == nil)
        }
    }

    @Test func `an identifier is encoded in JSON as its text`() throws {
        let id = Dot(raw: .zero)
        let json = try JSONEncoder().encode([id])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(id)\"]")
        #expect(try JSONDecoder().decode([Dot].self, from: json) == [id])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([DeviceID].self, from: json)
        }
    }
}
