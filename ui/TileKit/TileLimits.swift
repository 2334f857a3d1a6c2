/// The limits of what a file of map tiles may cost.
public enum TileLimits {
    /// The longest tile that is decoded, in bytes.
    public static let tileBytesMax = 1024 * 1024
    /// The largest width and height of a tile, in pixels.
    public static let tilePixelsMax = 1024
    /// The memory of the decoded tiles that are kept, in bytes.
    public static let cacheBytesMax = 64 * 1024 * 1024
    /// The share of ``cacheBytesMax`` that the tiles of one view may need. The rest keeps the
    /// neighbourhood, so a view never evicts its own tiles.
    public static let viewBytesMax = cacheBytesMax / 4 * 3
    /// The number of tiles of one view: a file may have tiles of a few pixels.
    public static let viewTilesMax = 1024
    /// The number of levels by which a tile is enlarged in place of one that is missing.
    public static let enlargedLevelsMax = 6
    /// The highest zoom level: 4 cm for each pixel.
    public static let zoomMax = 22
    /// The longest title of a file, in characters.
    public static let nameCharactersMax = 60
    /// The longest attribution, in characters.
    public static let attributionCharactersMax = 160
    /// The number of instructions that SQLite may run for one answer. A file is from outside, and
    /// its `tiles` may be a view.
    static let instructionsMax = 20_000_000
    /// The longest time of one answer: an instruction that compares long values is slow.
    static let answerTimeMax = Duration.seconds(5)
    /// The number of scans of a JPEG; each decodes the whole picture once more.
    static let scansCountMax = 64
}
