import InterestsAPI
import Testing

@testable import Interests

/// The bytes of an announcement.
struct InterestSetTests {
    private let edges: [Interest] = [.games, .netflix, .cooking, .yoga, .collarbones]

    @Test func `an interest is the bit of its index, lowest first, in 11 bytes`() throws {
        let set = try #require(InterestSet(edges))
        #expect(set.bytes == [0x41, 0x01, 0, 0, 0x40, 0, 0, 0, 0, 0, 0x40])
        #expect(InterestSet(announced: set.bytes) == set)
    }

    @Test(arguments: [0, 1, 10, 12, 96])
    func `another length than 11 bytes is ignored`(count: Int) throws {
        let bytes = try #require(InterestSet(edges)).bytes + [UInt8](repeating: 0, count: 85)
        #expect(InterestSet(announced: Array(bytes.prefix(count))) == nil)
    }

    @Test func `the bit beyond the interests is ignored`() throws {
        var bytes = try #require(InterestSet(edges)).bytes
        bytes[10] |= 0x80
        #expect(InterestSet(announced: bytes) == InterestSet(edges))
        // It does not count as a fifth interest.
        bytes[10] &= 0x80
        #expect(InterestSet(announced: bytes) == nil)
    }

    @Test func `5 and 10 interests are an announcement, 4, 11 and all 87 are none`() {
        for (count, isOne) in [(4, false), (5, true), (10, true), (11, false), (87, false)] {
            var bytes = [UInt8](repeating: 0, count: 11)
            for index in 0..<count { bytes[index / 8] |= 1 << UInt8(index % 8) }
            #expect((InterestSet(announced: bytes) != nil) == isOne, "\(count) interests")
        }
        #expect(InterestSet(announced: [UInt8](repeating: 0xff, count: 11)) == nil)
    }

    @Test func `the common interests of two sets are in the order of their index`() throws {
        let one = try #require(InterestSet([.tea, .coffee, .walks, .cats, .films]))
        let other = try #require(InterestSet([.tea, .games, .coffee, .vr, .films]))
        #expect(one.common(with: other) == [.coffee, .films, .tea])
        #expect(one.commonCount(with: other) == 3)
    }
}
