import Contract
import Testing

struct ChecksumTests {
    @Test(
        arguments: [
            ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ] as [(String, UInt64)])
    func `the checksum is FNV-1a with 64 bits, since homes and promises are named by it`(
        text: String, sum: UInt64
    ) {
        #expect(Checksum.of(text) == sum)
    }
}
