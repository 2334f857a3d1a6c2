import Location

/// What the list says about a mate.
enum MateText {
    /// Whether they are here, or when they last were; a sign says it beside the colour.
    static func presence(of mate: Mate, nowMs: Int64) -> String {
        if mate.state == .waiting { return "◌ Waiting for their yes" }
        if mate.present { return "● Here now" }
        guard let last = mate.lastExchangeMs else { return "○ Not seen since you met" }
        return "○ Last seen \(AgeText.spell(sinceMs: last, nowMs: nowMs))"
    }

    /// How far away they were and when, or nil where they told no place.
    static func place(of mate: Mate, distance: Double?, nowMs: Int64) -> String? {
        guard let place = mate.place else { return nil }
        let age = AgeText.spell(seconds: place.ageSeconds(nowMs: nowMs))
        guard let distance = distance.flatMap(DistanceText.text) else {
            return "Place from \(age)"
        }
        return "\(distance) away, \(age)"
    }
}
