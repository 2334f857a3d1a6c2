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

/// A moment, in JSON a number of milliseconds since 1970.
public struct Timestamp: Hashable, Comparable, Sendable, Codable, SchemaDescribing {
    /// Milliseconds since 1970, at least 0.
    public let milliseconds: Int64

    /// The latest moment: 2^47 − 1 ms, in the year 6429, which is the latest that a record's
    /// timestamp can hold.
    public static let millisecondsMax: Int64 = (1 << 47) - 1

    /// Creates a moment; one before 1970 becomes 1970, one after the latest becomes the latest.
    public init(milliseconds: Int64) {
        self.milliseconds = Swift.min(Swift.max(0, milliseconds), Self.millisecondsMax)
    }

    /// Reads and checks a moment.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer().decode(Int64.self)
        try Self.schema.check(
            .integer(value), field: decoder.codingPath.first?.stringValue ?? "time")
        milliseconds = value
    }

    /// Writes the milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    /// Milliseconds from 0 to the latest.
    public static var schema: Schema { .integer(0...millisecondsMax) }
    /// The beginning of 1970.
    public static var example: Timestamp { Timestamp(milliseconds: 0) }

    /// Whether one moment is earlier than the other.
    public static func < (one: Timestamp, other: Timestamp) -> Bool {
        one.milliseconds < other.milliseconds
    }
}

/// A number within a range that its type declares, such as a latitude.
public protocol BoundedNumber: Codable, Hashable, Sendable, SchemaDescribing {
    /// The admitted numbers.
    static var range: ClosedRange<Double> { get }
    /// The number in the unit that the type names.
    var value: Double { get }
    /// Creates the value from a number that was checked.
    init(checked value: Double)
}

extension BoundedNumber {
    /// Checks a number.
    /// - Throws: ``CommandFault/usage(_:field:)`` if it is out of range or not a number.
    public init(_ value: Double, field: String) throws(CommandFault) {
        try Self.schema.check(.number(value), field: field)
        self.init(checked: value)
    }

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

    /// The range.
    public static var schema: Schema { .number(range) }
    /// The smallest admitted number.
    public static var example: Self { Self(checked: range.lowerBound) }
}

/// Degrees north of the equator, from −90 to 90.
public struct Latitude: BoundedNumber {
    /// The latitude in degrees.
    public let value: Double
    /// Creates the value from a number that was checked.
    public init(checked value: Double) { self.value = value }
    /// −90 to 90 degrees.
    public static let range = -90.0...90.0
}

/// Degrees east of Greenwich, from −180 to 180.
public struct Longitude: BoundedNumber {
    /// The longitude in degrees.
    public let value: Double
    /// Creates the value from a number that was checked.
    public init(checked value: Double) { self.value = value }
    /// −180 to 180 degrees.
    public static let range = -180.0...180.0
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

/// The radius in metres within which a location lies, at least 0.
public struct AccuracyMetres: BoundedNumber {
    /// The radius in metres.
    public let value: Double
    /// Creates the value from a number that was checked.
    public init(checked value: Double) { self.value = value }
    /// The admitted metres, up to half of the equator.
    public static let range = 0.0...20_037_508.0
}

/// The factor by which a track is played faster than it was recorded.
public struct PlaybackSpeed: BoundedNumber {
    /// The factor, 1 for the recorded pace.
    public let value: Double
    /// Creates the value from a number that was checked.
    public init(checked value: Double) { self.value = value }
    /// The admitted factors: a tenth of the recorded pace to 3 600 times as fast.
    public static let range = 0.1...3600.0
}
