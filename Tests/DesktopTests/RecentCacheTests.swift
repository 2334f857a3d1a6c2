import Testing

@testable import PanelKit

struct RecentCacheTests {
    @Test func `what was not used for the longest time is removed first`() throws {
        var cache = RecentCache<Int, Int>(bytesMax: 8 * 1256)
        for column in 0..<8 { cache.insert(column, bytes: 1000, of: column) }
        #expect(cache.count == 8)
        #expect(cache.value(of: 0) == 0)
        cache.insert(8, bytes: 1000, of: 8)
        #expect(cache.value(of: 0) == 0 && cache.value(of: 8) == 8)
        #expect(cache.value(of: 1) == nil && cache.value(of: 2) == nil)
        #expect(cache.bytesCount <= 8 * 1256)
    }

    @Test func `a key that is inserted again counts once`() throws {
        var cache = RecentCache<Int, Int>(bytesMax: 10_000)
        for value in 0..<100 { cache.insert(value, bytes: 4000, of: 1) }
        #expect(cache.count == 1 && cache.bytesCount < 5000)
        #expect(cache.value(of: 1) == 99)
    }

    @Test func `values without bytes are limited too`() throws {
        var cache = RecentCache<Int, Int?>(bytesMax: 256 * 64)
        for column in 0..<1000 { cache.insert(nil, bytes: 0, of: column) }
        #expect(cache.count <= 64)
    }
}
