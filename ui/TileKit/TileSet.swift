/// The facts about a file of map tiles.
public struct TileSet: Hashable, Sendable {
    /// The title.
    public var name: String
    /// The credits of the map's makers, as plain text; empty if the file names none.
    public var attribution: String
    /// The levels of zoom that have tiles.
    public var zooms: ClosedRange<Int>
    /// The area that has tiles; nil if the file does not say.
    public var bounds: TileBounds?
    /// The width and height of a tile in pixels.
    public var tilePixels: Int

    /// Creates the facts.
    public init(
        name: String, attribution: String, zooms: ClosedRange<Int>, bounds: TileBounds?,
        tilePixels: Int
    ) {
        self.name = name
        self.attribution = attribution
        self.zooms = zooms
        self.bounds = bounds
        self.tilePixels = tilePixels
    }

    /// The memory that a decoded tile needs, in bytes.
    public var tileBytes: Int { tilePixels * tilePixels * 4 }
}

/// An area between two meridians and two circles of latitude, in degrees.
public struct TileBounds: Hashable, Sendable {
    /// The western and the eastern edge.
    public var west, east: Double
    /// The southern and the northern edge.
    public var south, north: Double

    /// Reads "126.7,37.4,127.2,37.7": west, south, east, north. Nil if that is no area on Earth.
    public init?(text: String) {
        let parts = text.split(separator: ",").map { part in
            Double(part.filter { !$0.isWhitespace })
        }
        guard parts.count == 4, let west = parts[0], let south = parts[1], let east = parts[2],
            let north = parts[3], -180 <= west, west < east, east <= 180, -90 <= south,
            south < north, north <= 90
        else { return nil }
        self.west = west
        self.east = east
        self.south = south
        self.north = north
    }
}
