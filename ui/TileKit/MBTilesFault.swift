import Localization

/// The reason a file cannot be drawn as a map, in the order of the checks.
public enum MBTilesFault: Error, Hashable, Sendable {
    /// There is no file at the path.
    case missing(file: String)
    /// The path names a folder or a device.
    case notAFile(file: String)
    /// This user may not read the file.
    case forbidden(file: String)
    /// The file is no SQLite database, has no tables of tiles, or computes them in a way that is
    /// not allowed.
    case notMBTiles(file: String)
    /// The file breaks off, or its pages contradict each other.
    case damaged(file: String)
    /// An answer takes too long.
    case tooSlow(file: String)
    /// The file has no tile on a level that can be shown.
    case noTiles(file: String)
    /// The tiles are shapes that a program has to style, not pictures.
    case vectorTiles(file: String)
    /// The tiles are pictures of another format than PNG and JPEG.
    case unknownPictures(file: String)
    /// The tiles are larger than the limit.
    case largeTiles(file: String, pixels: Int)
}

extension MBTilesFault: CustomStringConvertible {
    /// Sentences for people: the fault, and what to do.
    public var description: String {
        switch self {
        case .missing(let file):
            localized("There is no file “\(file)”. If it was moved, drop it on the window again.")
        case .notAFile(let file):
            localized("“\(file)” is not a file. Choose a file that ends in .mbtiles.")
        case .forbidden(let file):
            localized(
                "You do not have permission to read “\(file)”. Change that in the file's "
                    + "properties, or copy the file.")
        case .notMBTiles(let file):
            localized("“\(file)” is not an MBTiles file. Choose one with PNG or JPEG tiles.")
        case .damaged(let file):
            localized("“\(file)” is damaged. Copy it from the original again, or create it again.")
        case .tooSlow(let file):
            localized(
                "“\(file)” takes too long to read. Create it again with an index of its tiles.")
        case .noTiles(let file):
            localized("“\(file)” has no tiles. Create it again with at least one zoom level.")
        case .vectorTiles(let file):
            localized(
                "“\(file)” has vector tiles, which Waggle cannot draw. Create it again with PNG or "
                    + "JPEG tiles.")
        case .unknownPictures(let file):
            localized(
                "The tiles of “\(file)” are neither PNG nor JPEG. Create it again in one of these "
                    + "formats."
            )
        case .largeTiles(let file, let pixels):
            localized(
                "The tiles of “\(file)” are \(pixels) pixels wide. Create it again with at most "
                    + "\(TileLimits.tilePixelsMax).")
        }
    }
}
