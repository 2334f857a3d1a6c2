/// A whole number from `min` to `max`, both included.
public struct Whole<let min: Int, let max: Int>: Hashable, Sendable, Codable, SchemaDescribing {
    /// The number.
    public let value: Int

    /// Checks a number.
    /// - Throws: ``CommandFault/usage(_:field:)`` if it is out of range.
    public init(_ value: Int, field: String = "number") throws(CommandFault) {
        try Self.schema.check(.integer(Int64(value)), field: field)
        self.value = value
    }

    /// Reads and checks the number.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer().decode(Int.self)
        self = try Self(value, field: decoder.codingPath.first?.stringValue ?? "number")
    }

    /// Writes the number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    /// The range from `min` to `max`.
    public static var schema: Schema { .integer(Int64(min)...Int64(max)) }
    /// The smallest admitted number.
    public static var example: Self {
        do { return try Self(min) } catch { preconditionFailure("\(min) is out of its own range") }
    }
}

/// In JSON a moment is its number of milliseconds since 1970.
extension Timestamp: Codable, SchemaDescribing {
    /// Reads and checks a moment.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer().decode(Int64.self)
        try Self.schema.check(
            .integer(value), field: decoder.codingPath.first?.stringValue ?? "time")
        self.init(milliseconds: value)
    }

    /// Writes the milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    /// Milliseconds from 0 to the latest.
    public static var schema: Schema { .integer(0...millisecondsMax) }
    /// The beginning of 1970.
    public static var example: Timestamp { .min }
}

/// The range and the meaning of a ``Bounded`` number.
public protocol NumberRange: Sendable {
    /// The admitted numbers.
    static var range: ClosedRange<Double> { get }
}

/// A number within a range that its type declares, such as a latitude. There is no unchecked one:
///
///     let north = try Latitude(37.5, field: "latitude")
public struct Bounded<Range: NumberRange>: Hashable, Sendable, Codable, SchemaDescribing {
    /// The number in the unit that the range names.
    public let value: Double

    /// Checks a number.
    /// - Throws: ``CommandFault/usage(_:field:)`` if it is out of range or not a number.
    public init(_ value: Double, field: String = "number") throws(CommandFault) {
        try Self.schema.check(.number(value), field: field)
        self.value = value
    }

    private init(lowestOf range: ClosedRange<Double>) { value = range.lowerBound }

    /// Reads and checks the number.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer().decode(Double.self)
        self = try Self(value, field: decoder.codingPath.first?.stringValue ?? "number")
    }

    /// Writes the number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    /// The admitted numbers.
    public static var range: ClosedRange<Double> { Range.range }
    /// The range.
    public static var schema: Schema { .number(range) }
    /// The smallest admitted number.
    public static var example: Self { Self(lowestOf: range) }
}

/// Degrees north of the equator, from −90 to 90.
public typealias Latitude = Bounded<LatitudeRange>
/// Degrees east of Greenwich, from −180 to 180.
public typealias Longitude = Bounded<LongitudeRange>
/// The radius in metres within which a location lies, at least 0.
public typealias AccuracyMetres = Bounded<AccuracyMetresRange>
/// The factor by which a track is played faster than it was recorded.
public typealias PlaybackSpeed = Bounded<PlaybackSpeedRange>

/// The degrees of a ``Latitude``.
public enum LatitudeRange: NumberRange {
    /// −90 to 90 degrees.
    public static let range = -90.0...90.0
}

/// The degrees of a ``Longitude``.
public enum LongitudeRange: NumberRange {
    /// −180 to 180 degrees.
    public static let range = -180.0...180.0
}

/// The metres of ``AccuracyMetres``.
public enum AccuracyMetresRange: NumberRange {
    /// The admitted metres, up to half of the equator.
    public static let range = 0.0...20_037_508.0
}

/// The factors of a ``PlaybackSpeed``.
public enum PlaybackSpeedRange: NumberRange {
    /// The admitted factors: a tenth of the recorded pace to 3 600 times as fast.
    public static let range = 0.1...3600.0
}

/// The absolute path of a file, beginning with `/`. The command line also accepts a relative path
/// and makes it absolute.
public struct FilePath: ConstrainedText, Hashable, Sendable {
    /// The absolute path.
    public let string: String

    /// Checks a path.
    /// - Throws: ``CommandFault/usage(_:field:)`` if it is relative.
    public init(_ text: String, field: String = "file") throws(CommandFault) {
        try Self.schema.check(.string(text), field: field)
        string = text
    }

    /// An absolute path.
    public static var schema: Schema { .text(.path) }
    /// The root directory.
    public static var example: FilePath { exampleText("/") }
}
