import Contract
import Testing

struct ThumbnailDigitsTests {
    @Test func `bytes come back from their digits`() throws {
        let bytes = (0...255).map { UInt8($0) }
        let digits = try #require(ThumbnailDigits(bytes))
        #expect(digits.string.hasPrefix("000102") && digits.string.hasSuffix("fdfeff"))
        #expect(digits.jpeg == bytes)
        #expect(try ThumbnailDigits(digits.string.uppercased()).jpeg == bytes)
    }

    @Test func `the longest thumbnail fits and one byte more does not`() throws {
        let longest = [UInt8](repeating: 0xab, count: ThumbnailDigits.bytesMax)
        #expect(ThumbnailDigits(longest)?.jpeg == longest)
        #expect(ThumbnailDigits(longest + [0]) == nil)
        #expect(throws: (any Error).self) {
            try ThumbnailDigits(String(repeating: "a", count: 2 * longest.count + 1))
        }
    }

    @Test func `digits that are none are refused, and an odd one is left out`() throws {
        #expect(throws: (any Error).self) { try ThumbnailDigits("0g") }
        #expect(try ThumbnailDigits("abc").jpeg == [0xab])
    }
}
