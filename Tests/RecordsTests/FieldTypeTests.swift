import Records
import Testing

@Suite struct FieldTypeTests {
    private let all: [FieldType] = [
        .boolean, .integer(0...99), .real, .text(bytesMax: 8), .bytes(countMax: 4), .key,
        .texts(countMax: 2, bytesMax: 3),
    ]

    @Test func `null clears a field of any type`() {
        #expect(all.allSatisfy { $0.admits(.null) })
    }

    @Test func `a value of another type is not admitted`() {
        #expect(!FieldType.boolean.admits(.integer(1)))
        #expect(!FieldType.integer(0...1).admits(.real(1)))
        #expect(!FieldType.text(bytesMax: 8).admits(.bytes([97])))
        #expect(!FieldType.texts(countMax: 2, bytesMax: 3).admits(.list([.integer(1)])))
    }

    @Test func `values at their limits are admitted and one past them are not`() {
        #expect(FieldType.integer(0...99).admits(.integer(99)))
        #expect(!FieldType.integer(0...99).admits(.integer(100)))
        #expect(FieldType.text(bytesMax: 6).admits(.text("산책")))
        #expect(!FieldType.text(bytesMax: 5).admits(.text("산책")))
        #expect(FieldType.bytes(countMax: 2).admits(.bytes([1, 2])))
        #expect(!FieldType.bytes(countMax: 2).admits(.bytes([1, 2, 3])))
        #expect(FieldType.key.admits(.bytes([UInt8](repeating: 0, count: 32))))
        #expect(!FieldType.key.admits(.bytes([UInt8](repeating: 0, count: 31))))
        let texts = FieldType.texts(countMax: 2, bytesMax: 3)
        #expect(texts.admits(.list([.text("abc"), .text("abc")])))
        #expect(!texts.admits(.list([.text("abc"), .text("abc"), .text("a")])))
        #expect(!texts.admits(.list([.text("abcd")])))
    }
}
