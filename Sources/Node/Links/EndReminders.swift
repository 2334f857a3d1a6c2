internal import Records

/// The times at which former mates were told again that a mateship ended, as a value. A reminder
/// costs writes, and a former mate can claim at each link that they lost the end.
struct EndReminders: Sendable {
    /// The maximum number of reminders of one person per ``interval``.
    static let perIntervalMax = 4
    /// The interval.
    static let interval: Duration = .seconds(86_400)

    private var times: [PersonID: [Duration]] = [:]

    /// Returns whether a person may be reminded now, and if so, counts it.
    mutating func permitReminder(of person: PersonID, now: Duration) -> Bool {
        for (one, all) in times {
            let recent = all.filter { now - $0 < EndReminders.interval }
            times[one] = recent.isEmpty ? nil : recent
        }
        guard times[person, default: []].count < EndReminders.perIntervalMax else { return false }
        times[person, default: []].append(now)
        return true
    }
}
