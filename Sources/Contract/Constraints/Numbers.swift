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

    /// Creates the nearest number within the range.
    public init(clamping value: Int) { self.value = Swift.min(Swift.max(value, min), max) }

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
    public static var example: Self { Self(clamping: min) }
}

/// A whole number of at least `min`, up to the largest that every reader of JSON keeps exact.
///
/// Swift 6.3 cannot compile a ``Whole`` whose limits exceed 32 bits.
public struct AtLeast<let min: Int>: Hashable, Sendable, Codable, SchemaDescribing {
    /// The number.
    public let value: Int

    private static var range: ClosedRange<Int> { min...9_007_199_254_740_991 }

    /// Checks a number.
    /// - Throws: ``CommandFault/usage(_:field:)`` if it is out of range.
    public init(_ value: Int, field: String = "number") throws(CommandFault) {
        try Self.schema.check(.integer(Int64(value)), field: field)
        self.value = value
    }

    /// Creates the nearest number within the range.
    public init(clamping value: Int) {
        self.value = Swift.min(Swift.max(value, Self.range.lowerBound), Self.range.upperBound)
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

    /// From `min` to 2⁵³ − 1.
    public static var schema: Schema {
        .integer(Int64(range.lowerBound)...Int64(range.upperBound))
    }
    /// The smallest admitted number.
    public static var example: Self { Self(clamping: min) }
}

extension AtLeast: Comparable, CustomStringConvertible {
    /// The number in decimal digits.
    public var description: String { "\(value)" }

    /// Compares the numbers.
    public static func < (one: Self, other: Self) -> Bool { one.value < other.value }
    /// Compares the number with a plain one.
    public static func == (one: Self, other: Int) -> Bool { one.value == other }
}

extension Whole: CustomStringConvertible {
    /// The number in decimal digits.
    public var description: String { "\(value)" }

    /// Compares the number with a plain one.
    public static func == (one: Self, other: Int) -> Bool { one.value == other }
}

extension Optional {
    /// Compares a number with a plain one; without a number the two differ.
    public static func == <let min: Int>(one: Self, other: Int) -> Bool
    where Wrapped == AtLeast<min> { one.map(\.value) == .some(other) }

    /// Compares a number with a plain one; without a number the two differ.
    public static func == <Range>(one: Self, other: Double) -> Bool
    where Wrapped == Bounded<Range> { one.map(\.value) == .some(other) }
}

/// A number of things, of bytes or of seconds: 0 or more.
public typealias Count = AtLeast<0>
/// The number of the first, second, third and so on: 1 or more.
public typealias Ordinal = AtLeast<1>
/// The number of a TCP port; 0 means any.
public typealias PortNumber = Whole<0, 65535>

/// The difference between two moments in milliseconds, negative if the first is the later one.
public struct TimeDifference: Hashable, Sendable, Codable, SchemaDescribing {
    /// The milliseconds.
    public let milliseconds: Int

    private static var range: ClosedRange<Int64> {
        -Timestamp.millisecondsMax...Timestamp.millisecondsMax
    }

    /// Checks a difference.
    /// - Throws: ``CommandFault/usage(_:field:)`` if no two moments have it.
    public init(_ milliseconds: Int, field: String = "difference") throws(CommandFault) {
        try Self.schema.check(.integer(Int64(milliseconds)), field: field)
        self.milliseconds = milliseconds
    }

    /// Creates the nearest difference that two moments can have.
    public init(clamping milliseconds: Int) {
        let (least, most) = (Int(Self.range.lowerBound), Int(Self.range.upperBound))
        self.milliseconds = Swift.min(Swift.max(milliseconds, least), most)
    }

    /// Reads and checks the milliseconds.
    public init(from decoder: any Decoder) throws {
        let milliseconds = try decoder.singleValueContainer().decode(Int.self)
        self = try Self(
            milliseconds, field: decoder.codingPath.first?.stringValue ?? "difference")
    }

    /// Writes the milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    /// Up to the time between the first moment and the last.
    public static var schema: Schema { .integer(range) }
    /// No difference.
    public static var example: TimeDifference { TimeDifference(clamping: 0) }
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

    /// Creates the nearest number within the range; one that is not a number becomes the smallest.
    public init(clamping value: Double) {
        let range = Range.range
        self.value = value >= range.lowerBound ? min(value, range.upperBound) : range.lowerBound
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

    /// The admitted numbers.
    public static var range: ClosedRange<Double> { Range.range }
    /// The range.
    public static var schema: Schema { .number(range) }
    /// The smallest admitted number.
    public static var example: Self { Self(clamping: range.lowerBound) }
}

extension Bounded: CustomStringConvertible {
    /// The number in decimal digits.
    public var description: String { "\(value)" }

    /// Compares the number with a plain one.
    public static func == (one: Self, other: Double) -> Bool { one.value == other }
}

/// Degrees north of the equator, from −90 to 90.
public typealias Latitude = Bounded<LatitudeRange>
/// Degrees east of Greenwich, from −180 to 180.
public typealias Longitude = Bounded<LongitudeRange>
/// The radius in metres within which a location lies, at least 0.
public typealias AccuracyMetres = Bounded<AccuracyMetresRange>
/// The distance between two locations in metres, at least 0.
public typealias DistanceMetres = Bounded<AccuracyMetresRange>
/// A direction in degrees from north, clockwise, from 0 to 360.
public typealias BearingDegrees = Bounded<BearingDegreesRange>
/// A turn to the right in degrees, from −180 to 180; negative to the left.
public typealias TurnDegrees = Bounded<TurnDegreesRange>
/// A share of a whole, from 0 to 1.
public typealias Share = Bounded<ShareRange>
/// A share of a whole in percent, from 0 to 100.
public typealias Percent = Bounded<PercentRange>
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

/// The degrees of ``BearingDegrees``.
public enum BearingDegreesRange: NumberRange {
    /// A full circle.
    public static let range = 0.0...360.0
}

/// The degrees of ``TurnDegrees``.
public enum TurnDegreesRange: NumberRange {
    /// Half a circle to either side.
    public static let range = -180.0...180.0
}

/// The numbers of a ``Share``.
public enum ShareRange: NumberRange {
    /// Nothing to all.
    public static let range = 0.0...1.0
}

/// The numbers of ``Percent``.
public enum PercentRange: NumberRange {
    /// Nothing to all.
    public static let range = 0.0...100.0
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
    /// - Throws: ``CommandFault/usage(_:field:)`` if it is relative or contains a zero byte.
    public init(_ text: String, field: String = "file") throws(CommandFault) {
        try Self.schema.check(.string(text), field: field)
        string = text
    }

    /// An absolute path.
    public static var schema: Schema { .text(.path) }
    /// The root directory.
    public static var example: FilePath { exampleText("/") }
}
