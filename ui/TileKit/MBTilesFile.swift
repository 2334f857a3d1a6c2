internal import Glibc

/// A file of map tiles in the format MBTiles 1.3. It is only read, without locks; every query runs
/// away from the caller's thread.
///
/// ```swift
/// let file = try await MBTilesFile.open("/maps/seoul.mbtiles")
/// if let id = TileID(zoom: 3, column: 6, row: 3), let tile = try await file.tile(id) { … }
/// ```
public actor MBTilesFile {
    /// The facts about the file.
    public nonisolated let tileSet: TileSet

    private let database: TileDatabase
    private let name: String

    /// Opens a file and reads the facts about it.
    /// - Throws: the first ``MBTilesFault`` found.
    @concurrent public static func open(_ path: String) async throws -> MBTilesFile {
        try MBTilesFile(path: path)
    }

    /// Opens a file on this thread.
    init(path: String) throws(MBTilesFault) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        try Self.checkReadable(path, name: name)
        do {
            database = try TileDatabase(path: path)
            tileSet = try Self.tileSet(of: database, name: name)
        } catch {
            throw Self.fault(error, name: name)
        }
        self.name = name
    }

    /// Returns the bytes of a tile; nil if the file does not have it, or it is too long.
    /// - Throws: ``MBTilesFault/damaged(file:)`` or ``MBTilesFault/tooSlow(file:)``.
    public func tile(_ id: TileID) throws(MBTilesFault) -> [UInt8]? {
        var found: [UInt8]?
        do {
            try database.rows(
                """
                SELECT tile_data FROM tiles
                WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? LIMIT 1
                """, [id.zoom, id.column, id.rowFromSouth]
            ) { row in
                found = row.bytes(0)
                return false
            }
        } catch {
            throw Self.fault(error, name: name)
        }
        return found.flatMap { $0.count <= TileLimits.tileBytesMax ? $0 : nil }
    }
}

// MARK: - Checks

extension MBTilesFile {
    private static func checkReadable(_ path: String, name: String) throws(MBTilesFault) {
        // Without waiting, since a pipe would never open.
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: throw .missing(file: name)
            case EACCES, EPERM: throw .forbidden(file: name)
            default: throw .notAFile(file: name)
            }
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .notAFile(file: name)
        }
    }

    private static func fault(_ error: any Error, name: String) -> MBTilesFault {
        switch error {
        case let fault as MBTilesFault: fault
        case DatabaseFault.notADatabase: .notMBTiles(file: name)
        case DatabaseFault.tooSlow: .tooSlow(file: name)
        default: .damaged(file: name)
        }
    }

    private static func tileSet(of database: TileDatabase, name: String) throws -> TileSet {
        let facts = try metadata(of: database)
        if facts["format"] == "pbf" { throw MBTilesFault.vectorTiles(file: name) }
        guard let zooms = try zooms(of: database, facts) else {
            throw MBTilesFault.noTiles(file: name)
        }
        func line(_ key: String, _ charactersMax: Int) -> String {
            PlainText.line(ofHTML: facts[key] ?? "", charactersMax: charactersMax)
        }
        let title = line("name", TileLimits.nameCharactersMax)
        return TileSet(
            name: title.isEmpty ? name : title,
            attribution: line("attribution", TileLimits.attributionCharactersMax), zooms: zooms,
            bounds: facts["bounds"].flatMap { TileBounds(text: $0) },
            tilePixels: try tilePixels(of: database, name: name))
    }

    private static func metadata(of database: TileDatabase) throws -> [String: String] {
        var facts: [String: String] = [:]
        try database.rows(
            """
            SELECT name, CAST(value AS TEXT) FROM metadata WHERE name IN
            ('name', 'format', 'attribution', 'bounds', 'minzoom', 'maxzoom') LIMIT 32
            """
        ) { row in
            if let key = row.text(0), let value = row.text(1) { facts[key] = value }
            return true
        }
        return facts
    }

    /// Returns the levels of the file as it says, else as its tiles have them; nil if it has none.
    private static func zooms(
        of database: TileDatabase, _ facts: [String: String]
    ) throws -> ClosedRange<Int>? {
        var (low, high) = (facts["minzoom"].flatMap(Int.init), facts["maxzoom"].flatMap(Int.init))
        if low == nil || high == nil {
            try database.rows(
                """
                SELECT (SELECT min(zoom_level) FROM tiles), (SELECT max(zoom_level) FROM tiles)
                """
            ) { row in
                (low, high) = (row.integer(0), row.integer(1))
                return false
            }
        }
        guard let low, let high, low <= high, high >= 0, low <= TileLimits.zoomMax else {
            return nil
        }
        return max(low, 0)...min(high, TileLimits.zoomMax)
    }

    /// Returns the size of the file's tiles, which the first one shows that is not too long.
    private static func tilePixels(of database: TileDatabase, name: String) throws -> Int {
        var first: [UInt8]?
        try database.rows(
            "SELECT tile_data FROM tiles WHERE length(tile_data) <= ? LIMIT 1",
            [TileLimits.tileBytesMax]
        ) { row in
            first = row.bytes(0)
            return false
        }
        guard let first else { throw MBTilesFault.noTiles(file: name) }
        do throws(TilePicture.Fault) {
            return try TilePicture(first).pixels
        } catch {
            throw switch error {
            case .vector: MBTilesFault.vectorTiles(file: name)
            case .unknownFormat, .tooLong: MBTilesFault.unknownPictures(file: name)
            case .tooLarge(let pixels): MBTilesFault.largeTiles(file: name, pixels: pixels)
            }
        }
    }
}
