import Foundation
import GRDBSQLite

@testable import TileKit

/// An MBTiles file for one test, in a folder of its own that is removed with it.
final class TestTiles {
    /// A picture of 4 × 4 pixels.
    static let png = """
        89504e470d0a1a0a0000000d494844520000000400000004080200000026930929000000104944415478da6338\
        916204470cc47100427215e1c91abce40000000049454e44ae426082
        """
    /// Every statement that the spec asks for, with one tile on each of the levels 1 and 2.
    static let schema = """
        CREATE TABLE metadata (name TEXT, value TEXT);
        CREATE TABLE tiles (
            zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
        CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
        """

    /// The path of the file.
    let path: String

    private let folder: URL

    /// Makes a file by SQL.
    init(_ sql: String, name: String = "town.mbtiles") throws {
        folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: name).path
        var database: OpaquePointer?
        unsafe sqlite3_open(path, &database)
        let code = unsafe sqlite3_exec(database, sql, nil, nil, nil)
        unsafe sqlite3_close(database)
        precondition(code == SQLITE_OK, "the test's SQL is wrong")
    }

    /// Makes a file with these metadata, and a tile on each of the levels 1 and 2.
    convenience init(facts: [String: String], tile: String = TestTiles.png) throws {
        let values = facts.map { "INSERT INTO metadata VALUES ('\($0)', '\($1)');" }.joined()
        try self.init(
            """
            \(Self.schema) \(values)
            INSERT INTO tiles VALUES (1, 0, 1, x'\(tile)'), (2, 3, 0, x'\(tile)');
            """)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Opens the file.
    func open() throws(MBTilesFault) -> MBTilesFile { try MBTilesFile(path: path) }

    /// Returns the reason why it cannot be opened; nil if it can.
    var fault: MBTilesFault? {
        do throws(MBTilesFault) {
            _ = try open()
            return nil
        } catch {
            return error
        }
    }
}
