import Foundation

/// What is typed when a promise is made, and what is wrong with it.
struct PromiseForm: Equatable, Sendable {
    /// Letters as a person would count them.
    static let titleCharactersMax = 15
    /// How long ahead a promise is made, in milliseconds.
    static let noticeMs: Int64 = 1_800_000
    /// What being late may cost, in potatoes.
    static let penalties: [Int64] = [
        0, 100, 200, 300, 400, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000,
    ]

    var title = ""
    /// "18:30", or "2026-11-21 18:30".
    var when = ""
    var placeName = ""
    var penalty: Int64 = 0
    /// The keys of the mates who are asked.
    var people: [String] = []
    var latitude: Double
    var longitude: Double
    /// Whether the promise is moved to ``Original/chosen``.
    var isMoved = false
    /// What is changed; nil where a promise is made.
    let original: Original?

    /// A promise as it stands, and how its time was spelt in the form.
    struct Original: Equatable, Sendable {
        let promise: PromiseSummary
        let when: String
        /// The keys of those who take part or are asked.
        let people: Set<String>
        /// Another point that was chosen on the map; nil where none was.
        let chosen: Place?
    }

    /// Degrees north and east.
    struct Place: Equatable, Sendable { var latitude, longitude: Double }

    /// An empty form for a place.
    init(latitude: Double, longitude: Double) {
        (self.latitude, self.longitude) = (latitude, longitude)
        original = nil
    }

    /// A form that shows a promise as it stands, with its people.
    /// - Parameter chosen: the point that was chosen on the map.
    init(
        changing promise: PromiseSummary, people: [PromisePerson], chosen: Place? = nil,
        in zone: TimeZone = .autoupdatingCurrent
    ) {
        (latitude, longitude) = (promise.latitude, promise.longitude)
        title = promise.title
        when = Self.text(ofMs: promise.atMs, in: zone)
        placeName = promise.place ?? ""
        penalty = promise.penalty
        let asked = people.filter { $0.state == "member" || $0.state == "invited" }
        let here = Place(latitude: latitude, longitude: longitude)
        original = Original(
            promise: promise, when: when, people: Set(asked.map(\.person)),
            chosen: chosen == here ? nil : chosen)
    }

    private static func text(ofMs ms: Int64, in zone: TimeZone) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let moment = Date(timeIntervalSince1970: Double(ms) / 1000)
        let parts = calendar.dateComponents(spelt, from: moment)
        return String(
            format: "%04d-%02d-%02d %02d:%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0,
            parts.hour ?? 0, parts.minute ?? 0)
    }

    /// Whether the time is the one that stands.
    private var isSameTime: Bool { original.map { trimmed(when) == $0.when } ?? false }

    /// What is wrong first, or nil.
    func fault(nowMs: Int64, in zone: TimeZone = .autoupdatingCurrent) -> String? {
        let count = trimmed(title).count
        if count == 0 { return "What is it? A word or two, such as “Dinner”." }
        if count > Self.titleCharactersMax {
            return "The title has at most \(Self.titleCharactersMax) characters."
        }
        guard let atMs = atMs(nowMs: nowMs, in: zone) else {
            return "When? Such as 18:30, or 2026-11-21 18:30."
        }
        if !isSameTime, atMs - nowMs < Self.noticeMs {
            return "At least 30 minutes ahead, please."
        }
        guard original == nil else {
            let isChanged = change(nowMs: nowMs, in: zone) != nil || !people.isEmpty
            return isChanged ? nil : "Nothing is changed yet."
        }
        return people.isEmpty ? "With whom? Tick at least one mate." : nil
    }

    /// What of the promise is to be changed; nil for nothing.
    func change(nowMs: Int64, in zone: TimeZone = .autoupdatingCurrent) -> PromiseChange? {
        guard let old = original?.promise else { return nil }
        let (title, place) = (trimmed(title), trimmed(placeName))
        let point = isMoved ? original?.chosen : nil
        let change = PromiseChange(
            promise: old.id, title: title == old.title ? nil : title,
            atMs: isSameTime ? nil : atMs(nowMs: nowMs, in: zone),
            latitude: point?.latitude, longitude: point?.longitude,
            place: place == old.place ?? "" ? nil : place,
            penalty: penalty == old.penalty ? nil : penalty)
        return change == PromiseChange(promise: old.id) ? nil : change
    }

    /// Whom to ask to what is changed; nil for nobody.
    var invitation: PromiseInvitation? {
        guard let old = original?.promise, !people.isEmpty else { return nil }
        return PromiseInvitation(promise: old.id, with: people)
    }

    /// The time that is meant, in milliseconds since 1970: an hour alone is the next one.
    func atMs(nowMs: Int64, in zone: TimeZone = .autoupdatingCurrent) -> Int64? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let now = Date(timeIntervalSince1970: Double(nowMs) / 1000)
        let parts = trimmed(when).split(separator: " ", omittingEmptySubsequences: true)
        guard let clock = parts.last.flatMap(Self.clock), parts.count <= 2 else { return nil }
        let date: Date?
        if parts.count == 2 {
            date = Self.day(parts[0]).flatMap { day in
                var wanted = day
                (wanted.hour, wanted.minute) = (clock.hour, clock.minute)
                // A day that its month has not, or an hour that the clocks leap over, is none.
                return calendar.date(from: wanted).flatMap { date in
                    let meant = calendar.dateComponents(Self.spelt, from: date)
                    let isMeant = Self.spelt.allSatisfy {
                        meant.value(for: $0) == wanted.value(for: $0)
                    }
                    return isMeant ? date : nil
                }
            }
        } else {
            date = calendar.nextDate(
                after: now, matching: DateComponents(hour: clock.hour, minute: clock.minute),
                matchingPolicy: .nextTime)
        }
        return date.flatMap { Int64(exactly: ($0.timeIntervalSince1970 * 1000).rounded()) }
    }

    /// What is typed of a moment.
    private static let spelt: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute]

    private static func clock(_ text: Substring) -> (hour: Int, minute: Int)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let hour = parts[0], let minute = parts[1],
            (0...23).contains(hour), (0...59).contains(minute)
        else { return nil }
        return (hour, minute)
    }

    private static func day(_ text: Substring) -> DateComponents? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
            (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        return DateComponents(year: year, month: month, day: day)
    }

    private func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// What is sent to the node; nil while something is wrong.
    func body(nowMs: Int64, in zone: TimeZone = .autoupdatingCurrent) -> PromiseMaking? {
        guard fault(nowMs: nowMs, in: zone) == nil, let atMs = atMs(nowMs: nowMs, in: zone) else {
            return nil
        }
        let place = trimmed(placeName)
        return PromiseMaking(
            title: trimmed(title), atMs: atMs, latitude: latitude, longitude: longitude,
            place: place.isEmpty ? nil : place, penalty: penalty, with: people)
    }
}

/// The body of "promise edit".
struct PromiseChange: Encodable, Equatable, Sendable {
    var promise: String
    var title: String?
    var atMs: Int64?
    var latitude: Double?
    var longitude: Double?
    var place: String?
    var penalty: Int64?
}

/// The body of "promise invite".
struct PromiseInvitation: Encodable, Equatable, Sendable {
    var promise: String
    var with: [String]
}

/// The body of "promise create".
struct PromiseMaking: Encodable, Equatable, Sendable {
    var title: String
    var atMs: Int64
    var latitude: Double
    var longitude: Double
    var place: String?
    var penalty: Int64
    var with: [String]
}

/// A mate as far as a promise needs to know them, from "mates list".
struct PromiseMate: Decodable, Equatable, Sendable {
    struct Profile: Decodable, Equatable, Sendable { var nickname: String? }

    var person: String
    var suffix: String
    var state: String
    var profile: Profile

    /// What to call them in a list.
    var label: String { "\(profile.nickname ?? "Somebody") · \(suffix)" }
}

/// What "mates list" answers.
struct PromiseMates: Decodable, Equatable, Sendable {
    var mates: [PromiseMate]
}
