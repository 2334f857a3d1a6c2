/// The matters that wait for the practice mate's answer, and the times when each was first seen. A
/// matter that a look does not find is forgotten, so there are only as many as wait at once.
///
/// ```swift
/// var matters = WaitingMatters()
/// matters.wait(of: "walk 1", at: .zero)          // 0 s
/// matters.endLook()
/// matters.wait(of: "walk 1", at: .seconds(2))    // 2 s
/// ```
struct WaitingMatters: Sendable {
    private var firstSeen: [String: Duration] = [:]
    /// The matters that the present look has found.
    private var found: Set<String> = []

    /// The number of matters that are remembered.
    var count: Int { firstSeen.count }

    /// Returns how long a matter has waited since it was first seen.
    mutating func wait(of matter: String, at now: Duration) -> Duration {
        found.insert(matter)
        let first = firstSeen[matter] ?? now
        firstSeen[matter] = first
        return now - first
    }

    /// Forgets a matter that was answered; it counts as a new one if it waits again.
    mutating func remove(_ matter: String) { firstSeen[matter] = nil }

    /// Forgets the matters that no longer wait, at the end of a look at everything.
    mutating func endLook() {
        firstSeen = firstSeen.filter { found.contains($0.key) }
        found = []
    }
}
