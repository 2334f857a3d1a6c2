/// Something that knows where this device is: a hand on the map, a receiver, a recording.
public protocol LocationSource: Sendable {
    /// The newest fix; nil while the position is not known.
    var latest: Fix? { get }

    /// The latest fix at once and then each change, nil when the position is no longer known.
    /// A slow reader gets the newest value only. Each call opens a stream of its own.
    func fixes() -> AsyncStream<Fix?>
}
