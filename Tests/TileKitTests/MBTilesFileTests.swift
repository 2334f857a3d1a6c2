import Foundation
import Testing

@testable import TileKit

struct MBTilesFileTests {
    private let file = "town.mbtiles"

    @Test func `the facts of a file are read`() throws {
        let tiles = try TestTiles(facts: [
            "name": "Seoul", "format": "png", "minzoom": "1", "maxzoom": "2",
            "bounds": "126.7, 37.4,127.2,37.7",
            "attribution": "<a href=\"x\">&copy; Ann &amp; Ben</a>",
        ])
        let set = try tiles.open().tileSet
        #expect(
            set
                == TileSet(
                    name: "Seoul", attribution: "© Ann & Ben", zooms: 1...2,
                    bounds: TileBounds(text: "126.7,37.4,127.2,37.7"), tilePixels: 4))
    }

    @Test func `a file that says little has its levels from its tiles and its name as title`()
        throws
    {
        let set = try TestTiles(facts: [:]).open().tileSet
        #expect(
            set
                == TileSet(
                    name: file, attribution: "", zooms: 1...2, bounds: nil, tilePixels: 4))
    }

    @Test func `a tile is found by its row from the north, though the file counts from the south`()
        async throws
    {
        let tiles = try TestTiles(facts: [:])
        let opened = try await MBTilesFile.open(tiles.path)
        let north = try #require(TileID(zoom: 1, column: 0, row: 0))
        let south = try #require(TileID(zoom: 2, column: 3, row: 3))
        let other = try #require(TileID(zoom: 2, column: 3, row: 0))
        #expect(try await opened.tile(north)?.count == TestTiles.png.count / 2)
        #expect(try await opened.tile(south) != nil)
        #expect(try await opened.tile(other) == nil)
    }

    @Test func `a name with signs of an address is a name`() async throws {
        let sql = """
            \(TestTiles.schema)
            INSERT INTO tiles VALUES (0, 0, 0, x'\(TestTiles.png)');
            """
        let tiles = try TestTiles(sql, name: "50% of 서울?mode=rw#1.mbtiles")
        #expect(tiles.fault == nil)
    }

    @Test func `nothing is written beside a file that is read`() async throws {
        let tiles = try TestTiles(facts: [:])
        let opened = try await MBTilesFile.open(tiles.path)
        _ = try await opened.tile(try #require(TileID(zoom: 1, column: 0, row: 0)))
        let folder = URL(fileURLWithPath: tiles.path).deletingLastPathComponent().path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [file])
    }

    @Test func `a path without a file, a folder and other files are told apart`() throws {
        let tiles = try TestTiles("CREATE TABLE notes (text TEXT);")
        #expect(tiles.fault == .notMBTiles(file: file))
        let folder = URL(fileURLWithPath: tiles.path).deletingLastPathComponent()
        #expect(throws: MBTilesFault.missing(file: "x.mbtiles")) {
            try MBTilesFile(path: folder.appending(path: "x.mbtiles").path)
        }
        #expect(throws: MBTilesFault.notAFile(file: folder.lastPathComponent)) {
            try MBTilesFile(path: folder.path)
        }
        try Data("Once upon a time".utf8).write(to: URL(fileURLWithPath: tiles.path))
        #expect(tiles.fault == .notMBTiles(file: file))
        try Data().write(to: URL(fileURLWithPath: tiles.path))
        #expect(tiles.fault == .notMBTiles(file: file))
    }

    @Test(.enabled(if: geteuid() != 0)) func `a file that this user may not read is refused`()
        throws
    {
        let tiles = try TestTiles(facts: [:])
        unsafe chmod(tiles.path, 0)
        #expect(tiles.fault == .forbidden(file: file))
    }

    @Test func `a file that breaks off is damaged`() throws {
        let tiles = try TestTiles(
            facts: [:], tile: String(repeating: TestTiles.png, count: 200))
        let url = URL(fileURLWithPath: tiles.path)
        let bytes = try Data(contentsOf: url)
        try bytes.prefix(bytes.count / 2).write(to: url)
        #expect(tiles.fault == .damaged(file: file))
    }

    @Test(
        arguments: [
            ("pbf", TestTiles.png, .vectorTiles(file: "town.mbtiles")),
            ("png", "1f8b08", .vectorTiles(file: "town.mbtiles")),
            ("png", "524946460000000057454250", .unknownPictures(file: "town.mbtiles")),
            ("png", "89504e470d0a1a0a0000000d49484452", .unknownPictures(file: "town.mbtiles")),
            (
                "png", "89504e470d0a1a0a0000000d494844520000040100000400",
                .largeTiles(file: "town.mbtiles", pixels: 1025)
            ),
        ] as [(String, String, MBTilesFault)])
    func `tiles that are no small pictures are refused`(
        format: String, tile: String, fault: MBTilesFault
    ) throws {
        let tiles = try TestTiles(facts: ["format": format], tile: tile)
        #expect(tiles.fault == fault)
    }

    @Test func `a file without tiles is refused`() throws {
        #expect(try TestTiles(TestTiles.schema).fault == .noTiles(file: file))
        let levels = """
            INSERT INTO metadata VALUES ('minzoom', '23'), ('maxzoom', '30');
            """
        #expect(try TestTiles(TestTiles.schema + levels).fault == .noTiles(file: file))
    }

    private static let levels = """
        CREATE TABLE metadata (name TEXT, value TEXT);
        INSERT INTO metadata VALUES ('minzoom', '0'), ('maxzoom', '1');
        """

    @Test func `tiles that are computed for too long are given up`() throws {
        let rows = (0..<100).map { "(\($0))" }.joined(separator: ",")
        let tiles = try TestTiles(
            """
            \(Self.levels)
            CREATE TABLE n (number INTEGER);
            INSERT INTO n VALUES \(rows);
            CREATE VIEW tiles AS
            SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, x'00' AS tile_data
            FROM n AS a, n AS b, n AS c, n AS d, n AS e
            WHERE a.number + b.number + c.number + d.number + e.number < 0;
            """)
        #expect(tiles.fault == .tooSlow(file: file))
    }

    @Test(
        arguments: [
            "SELECT x'00' AS tile_data FROM more WHERE number < 0",
            "SELECT randomblob(1000) AS tile_data FROM metadata",
            "SELECT 'a' LIKE value AS tile_data FROM metadata",
        ])
    func `tiles that are computed by recursion or by other functions than a few are refused`(
        query: String
    ) throws {
        let tiles = try TestTiles(
            """
            \(Self.levels)
            CREATE VIEW more AS
            WITH RECURSIVE m(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM m)
            SELECT number FROM m;
            CREATE VIEW tiles AS \(query);
            """)
        #expect(tiles.fault == .notMBTiles(file: file))
    }

    @Test func `tiles in a table of a search module are refused`() throws {
        let tiles = try TestTiles(
            """
            \(Self.levels)
            CREATE VIRTUAL TABLE tiles USING fts4 (zoom_level, tile_column, tile_row, tile_data);
            INSERT INTO tiles VALUES (0, 0, 0, x'\(TestTiles.png)');
            """)
        #expect(tiles.fault == .notMBTiles(file: file))
    }

    @Test func `a view that only joins tables and counts rows from the south is read`()
        async throws
    {
        let tiles = try TestTiles(
            """
            \(Self.levels)
            CREATE TABLE map (zoom INTEGER, x INTEGER, y INTEGER, id TEXT);
            CREATE TABLE images (id TEXT, data BLOB);
            INSERT INTO map VALUES (1, 0, 0, 'a');
            INSERT INTO images VALUES ('a', x'\(TestTiles.png)');
            CREATE VIEW tiles AS
            SELECT zoom AS zoom_level, x AS tile_column, (1 << zoom) - 1 - y AS tile_row,
            coalesce(data, x'') AS tile_data FROM map JOIN images ON images.id = map.id;
            """)
        let id = try #require(TileID(zoom: 1, column: 0, row: 0))
        #expect(try await tiles.open().tile(id) != nil)
    }

    @Test func `an answer that takes longer than allowed is given up`() throws {
        let tiles = try TestTiles(facts: [:])
        let joined = (0..<12).map { "tiles AS t\($0)" }.joined(separator: ", ")
        let query = "SELECT count(*) FROM \(joined)"
        var count: Int?
        try TileDatabase(path: tiles.path).rows(query) { row in
            count = row.integer(0)
            return false
        }
        #expect(count == 4096)
        let hasty = try TileDatabase(path: tiles.path, answerTimeMax: .zero)
        #expect(throws: DatabaseFault.tooSlow) { try hasty.rows(query) { _ in true } }
    }

    @Test(arguments: [1, 1000])
    func `a first tile that is too long is skipped`(bytesTooMany: Int) async throws {
        let tiles = try TestTiles(
            """
            \(TestTiles.schema)
            INSERT INTO tiles VALUES
            (1, 0, 0, zeroblob(\(TileLimits.tileBytesMax + bytesTooMany))),
            (1, 1, 0, x'\(TestTiles.png)');
            """)
        let opened = try tiles.open()
        #expect(opened.tileSet.tilePixels == 4)
        let long = try #require(TileID(zoom: 1, column: 0, row: 1))
        let short = try #require(TileID(zoom: 1, column: 1, row: 1))
        #expect(try await opened.tile(long) == nil)
        #expect(try await opened.tile(short) != nil)
    }

    @Test func `a tile of one MiB is returned, and one a byte longer is not`() async throws {
        let limit = TileLimits.tileBytesMax
        let tiles = try TestTiles(
            """
            \(TestTiles.schema)
            INSERT INTO tiles VALUES (0, 0, 0, x'\(TestTiles.png)'),
            (1, 0, 0, zeroblob(\(limit))), (1, 1, 0, zeroblob(\(limit + 1))),
            (1, 1, 1, zeroblob(\(limit * 3)));
            """)
        let opened = try tiles.open()
        func count(_ column: Int, _ row: Int) async throws -> Int? {
            try await opened.tile(try #require(TileID(zoom: 1, column: column, row: row)))?.count
        }
        #expect(try await count(0, 1) == limit)
        #expect(try await count(1, 1) == nil)
        #expect(try await count(1, 0) == nil)
    }
}
