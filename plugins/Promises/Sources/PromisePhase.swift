/// How far a promise is, by the clock alone.
enum PromisePhase: String, Hashable, Sendable {
    /// Nothing is shared yet.
    case scheduled
    /// From half an hour before its time: positions are shared.
    case tracking
    /// From three hours after its time: whoever has not come does not come any more.
    case past

    /// The phase of a promise for a time, at a moment; both in milliseconds since 1970.
    init(atMs: Int64, nowMs: Int64) {
        // Both are bounded by what a stamp holds, but a clock may show anything.
        let (sinceMs, overflow) = nowMs.subtractingReportingOverflow(atMs)
        if overflow {
            self = nowMs < atMs ? .scheduled : .past
        } else if sinceMs < -PromiseLimits.trackingMs {
            self = .scheduled
        } else {
            self = sinceMs < PromiseLimits.pastMs ? .tracking : .past
        }
    }
}
