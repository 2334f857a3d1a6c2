/// The width and height of a photo in pixels, as in `1600x1200`.
public struct PhotoSides: ConstrainedText, Hashable, Sendable {
    /// The width in pixels, 1 to ``sideMax``.
    public let width: Int
    /// The height in pixels, 1 to ``sideMax``.
    public let height: Int

    /// The most pixels of either side.
    public static let sideMax = 65_535

    /// Joins two sides; one outside of the limits becomes the nearest within them.
    public init(width: Int, height: Int) {
        self.width = min(max(width, 1), Self.sideMax)
        self.height = min(max(height, 1), Self.sideMax)
    }

    /// Reads two numbers with an `x` between them.
    /// - Throws: ``CommandFault/usage(_:field:)``.
    public init(_ text: String, field: String = "photo") throws(CommandFault) {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { side in
            side.utf8.count <= 5 ? Int(side) : nil
        }
        guard sides.count == 2, let width = sides[0], let height = sides[1],
            (1...Self.sideMax).contains(width), (1...Self.sideMax).contains(height)
        else {
            throw .usage("'\(field)' must be a width and a height, as in 1600x1200", field: field)
        }
        self.init(width: width, height: height)
    }

    /// The numbers with an `x` between them.
    public var string: String { "\(width)x\(height)" }

    /// One line of 3 to 11 characters.
    public static var schema: Schema { .text(.line(3...11)) }
    /// One pixel.
    public static var example: PhotoSides { PhotoSides(width: 1, height: 1) }
}
