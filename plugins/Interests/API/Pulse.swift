public import Contract

/// The beat of a match: the nearer, the stronger; the more in common, the faster.
///
/// ```swift
/// Pulse(commonCount: 5, distanceMetres: 4.5)  // strength 0.5, 2 beats per second
/// ```
public struct Pulse: Codable, Hashable, Sendable {
    /// The strength, 0 at ``rangeMetres`` or beyond, 1 at 0 m; absent if the distance is not known.
    public var strength: Share?
    /// The number of beats per second.
    public var rate: BeatsPerSecond

    /// The distance from which the strength is 0, in metres.
    public static let rangeMetres = 9.0
    /// The number of common interests that add one beat per second.
    public static let commonPerBeat = 5.0

    /// Creates the pulse of a match. A distance that is not a number counts as unknown.
    public init(commonCount: Int, distanceMetres: Double?) {
        strength = distanceMetres.flatMap { metres in
            metres.isNaN ? nil : Share(clamping: 1 - metres / Self.rangeMetres)
        }
        rate = BeatsPerSecond(clamping: 1 + Double(commonCount) / Self.commonPerBeat)
    }
}

/// The rate of a ``Pulse``, in beats per second.
public typealias BeatsPerSecond = Bounded<BeatsPerSecondRange>

/// The numbers of ``BeatsPerSecond``.
public enum BeatsPerSecondRange: NumberRange {
    /// One beat per second with nothing in common, three with all ten interests.
    public static let range = 1.0...3.0
}
