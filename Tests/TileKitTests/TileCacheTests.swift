import Testing

@testable import TileKit

struct TileCacheTests {
    private func id(_ column: Int) throws -> TileID {
        try #require(TileID(zoom: 10, column: column, row: 0))
    }

    @Test func `what was not used for the longest time is removed first`() throws {
        var cache = TileCache<Int>(bytesMax: 8 * 1256)
        for column in 0..<8 { cache.insert(column, bytes: 1000, of: try id(column)) }
        #expect(cache.count == 8)
        #expect(try cache.value(of: id(0)) == 0)
        cache.insert(8, bytes: 1000, of: try id(8))
        #expect(try cache.value(of: id(0)) == 0 && cache.value(of: id(8)) == 8)
        #expect(try cache.value(of: id(1)) == nil && cache.value(of: id(2)) == nil)
        #expect(cache.bytesCount <= 8 * 1256)
    }

    @Test func `a tile that is inserted again counts once`() throws {
        var cache = TileCache<Int>(bytesMax: 10_000)
        for value in 0..<100 { cache.insert(value, bytes: 4000, of: try id(1)) }
        #expect(cache.count == 1 && cache.bytesCount < 5000)
        #expect(try cache.value(of: id(1)) == 99)
    }

    @Test func `tiles that the file lacks are limited too`() throws {
        var cache = TileCache<Int?>(bytesMax: 256 * 64)
        for column in 0..<1000 { cache.insert(nil, bytes: 0, of: try id(column)) }
        #expect(cache.count <= 64)
    }
}
