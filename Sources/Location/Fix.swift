/// Where somebody was, as one source reported it. What the source did not say is absent, never 0.
public struct Fix: Hashable, Sendable {
    /// The position itself.
    public let point: Point
    /// The radius in metres within which the source believes the position to be right.
    public let accuracyMetres: Double?
    /// The time the source itself gave to the fix, in milliseconds since 1970.
    public let atMs: Int64?

    /// An accuracy that is negative or not finite says nothing and is left out.
    public init(point: Point, accuracyMetres: Double? = nil, atMs: Int64? = nil) {
        self.point = point
        self.accuracyMetres = accuracyMetres.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        self.atMs = atMs
    }
}
