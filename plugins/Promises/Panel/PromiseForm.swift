import Contract
import ControlAPI
import Foundation
import PanelKit
import PromisesAPI

/// The form that makes or changes a promise, and the faults of its fields.
struct PromiseForm: Equatable, Sendable {
    /// The least time between making a promise and its time.
    static let notice = Duration.seconds(1800)
    /// The penalties for being late that can be chosen, in potatoes.
    static let penalties: [Int] = [
        0, 100, 200, 300, 400, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000,
    ]

    var title = ""
    /// "18:30", or "2026-11-21 18:30".
    var when = ""
    var locationName = ""
    var penalty = 0
    /// The keys of the mates who are asked.
    var people: [Key] = []
    /// The location of a new promise, or of the one that is changed; nil if it is not on Earth.
    var location: Coordinate?
    /// Whether the promise is moved to ``Original/chosen``.
    var isMoved = false
    /// The promise that is changed; nil if a new one is made.
    let original: Original?

    /// A promise as it is stored, and its time as the form spells it.
    struct Original: Equatable, Sendable {
        let promise: PromiseSummary
        let when: String
        /// The keys of the people who take part or are asked.
        let people: Set<Key>
        /// Another location that was chosen on the map; nil if there is none.
        let chosen: Coordinate?
    }

    /// An empty form for a location.
    init(at location: Coordinate) {
        self.location = location
        original = nil
    }

    /// A form that shows a promise as it is stored, with its people.
    /// - Parameter chosen: the point that was chosen on the map.
    init(
        changing promise: PromiseSummary, people: [PromisePerson], chosen: Coordinate? = nil,
        in zone: TimeZone = .autoupdatingCurrent
    ) {
        location = Coordinate(promise.latitude, promise.longitude)
        title = promise.title.string
        when = Self.text(of: promise.atMs, in: zone)
        locationName = promise.locationName?.string ?? ""
        penalty = promise.penalty.value
        let asked = people.filter { $0.state == .member || $0.state == .invited }
        original = Original(
            promise: promise, when: when, people: Set(asked.map(\.person)),
            chosen: chosen == location ? nil : chosen)
    }

    private static func text(of time: Timestamp, in zone: TimeZone) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents(spelt, from: Date(time))
        return String(
            format: "%04d-%02d-%02d %02d:%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0,
            parts.hour ?? 0, parts.minute ?? 0)
    }

    /// Whether the time is unchanged.
    private var isSameTime: Bool { original.map { trimmed(when) == $0.when } ?? false }

    private static let whenHint = "When? Such as 18:30, or 2026-11-21 18:30."

    /// Returns a sentence about the first fault, or nil.
    func fault(now: Timestamp, in zone: TimeZone = .autoupdatingCurrent) -> String? {
        if trimmed(title).isEmpty { return "What is it? A word or two, such as “Dinner”." }
        do {
            _ = try PromiseTitleText(title, field: "title")
            guard let at = at(now: now, in: zone) else { return Self.whenHint }
            if !isSameTime, at < now + Self.notice { return "At least 30 minutes ahead, please." }
            guard original == nil else {
                let isChanged = try change(now: now, in: zone) != nil || !people.isEmpty
                return isChanged ? nil : "Nothing is changed yet."
            }
            _ = try making(now: now, in: zone)
        } catch {
            return CommandFault(error).sentence(labels: Self.labels)
        }
        return people.isEmpty ? "With whom? Tick at least one mate." : nil
    }

    private static let labels = ["title": "The title", "locationName": "The name of the location"]

    /// Returns the changes to the promise; nil if there are none.
    /// - Throws: ``CommandFault/usage(_:field:)`` for the first field that breaks its rule.
    func change(
        now: Timestamp, in zone: TimeZone = .autoupdatingCurrent
    ) throws(CommandFault) -> EditPromise? {
        guard let old = original?.promise else { return nil }
        let title = try PromiseTitleText(title, field: "title")
        let name = try PromiseLocationName(locationName, field: "locationName")
        let point = isMoved ? original?.chosen : nil
        var change = EditPromise(promise: NameOrKey(old.id))
        let unchanged = change
        if title.string != old.title.string { change.title = title }
        if !isSameTime { change.atMs = at(now: now, in: zone) }
        change.latitude = point?.north
        change.longitude = point?.east
        if name.string != old.locationName?.string ?? "" { change.locationName = name }
        if penalty != old.penalty.value { change.penalty = try Whole(penalty, field: "penalty") }
        return change == unchanged ? nil : change
    }

    /// The request that asks more mates to a changed promise; nil if none is chosen.
    var invitation: InviteToPromise? {
        guard let old = original?.promise, !people.isEmpty else { return nil }
        return InviteToPromise(promise: NameOrKey(old.id), with: people.map(NameOrKey.init))
    }

    /// Returns the time that is meant: an hour alone means the next one.
    func at(now: Timestamp, in zone: TimeZone = .autoupdatingCurrent) -> Timestamp? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = trimmed(when).split(separator: " ", omittingEmptySubsequences: true)
        guard let clock = parts.last.flatMap(Self.clock), parts.count <= 2 else { return nil }
        let date: Date?
        if parts.count == 2 {
            date = Self.day(parts[0]).flatMap { day in
                var wanted = day
                (wanted.hour, wanted.minute) = (clock.hour, clock.minute)
                // A day that its month lacks, or an hour that the clocks skip, is no time.
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
                after: Date(now), matching: DateComponents(hour: clock.hour, minute: clock.minute),
                matchingPolicy: .nextTime)
        }
        return date.map { Timestamp($0) }
    }

    /// The parts of a moment that the user types.
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

    /// Returns the request that makes a promise.
    /// - Throws: ``CommandFault/usage(_:field:)`` for the first field that breaks its rule.
    func making(now: Timestamp, in zone: TimeZone = .autoupdatingCurrent) throws -> CreatePromise {
        guard let at = at(now: now, in: zone) else {
            throw CommandFault.usage(Self.whenHint, field: "atMs")
        }
        guard let location else {
            throw CommandFault.usage("Where? Choose a point on the map.", field: "latitude")
        }
        let name = try PromiseLocationName(locationName, field: "locationName")
        return CreatePromise(
            title: try Text(title, field: "title"), atMs: at,
            latitude: location.north,
            longitude: location.east,
            locationName: name.string.isEmpty ? nil : name,
            penalty: try Whole(penalty, field: "penalty"),
            with: people.map(NameOrKey.init))
    }
}
