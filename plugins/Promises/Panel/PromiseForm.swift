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
    /// The time in words, such as "tomorrow 18:00".
    var when = ""
    var locationName = ""
    var penalty = 0
    /// The keys of the mates who are asked.
    var people: [Key] = []
    /// The location to meet at; nil before one is chosen.
    var location: Coordinate?
    /// The promise that is changed; nil if a new one is made.
    let original: Original?

    /// A promise as it is stored, and its time as the form spells it.
    struct Original: Equatable, Sendable {
        let promise: PromiseSummary
        let when: String
        /// The keys of the people who take part or are asked.
        let people: Set<Key>

        /// The location as it is stored.
        var location: Coordinate { Coordinate(promise.latitude, promise.longitude) }
    }

    /// An empty form for a location; nil if none is known.
    init(at location: Coordinate? = nil) {
        self.location = location
        original = nil
    }

    /// A form that shows a promise as it is stored, with its people.
    init(
        changing promise: PromiseSummary, people: [PromisePerson], calendar: Calendar = .here
    ) {
        title = promise.title.string
        when = Self.text(of: promise.atMs, calendar: calendar)
        locationName = promise.locationName?.string ?? ""
        penalty = promise.penalty.value
        let asked = people.filter { $0.state == .member || $0.state == .invited }
        let original = Original(promise: promise, when: when, people: Set(asked.map(\.person)))
        self.original = original
        location = original.location
    }

    /// A form for a new promise with what an event of a calendar says.
    init(_ draft: PromiseDraft, calendar: Calendar = .here) {
        title = draft.title?.string ?? ""
        when = draft.atMs.map { Self.text(of: $0, calendar: calendar) } ?? ""
        locationName = draft.locationName?.string ?? ""
        if let latitude = draft.latitude, let longitude = draft.longitude {
            location = Coordinate(latitude, longitude)
        }
        original = nil
    }

    private static func text(of time: Timestamp, calendar: Calendar) -> String {
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute], from: Date(time))
        return String(
            format: "%04d-%02d-%02d %02d:%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0,
            parts.hour ?? 0, parts.minute ?? 0)
    }

    /// Whether the time is unchanged.
    private var isSameTime: Bool { original.map { when.trimmed == $0.when } ?? false }

    private static let whenHint: Sentence = "Type a time, such as “tomorrow 18:00”."

    /// Returns a sentence about the first fault, or nil.
    func fault(now: Timestamp, calendar: Calendar = .here) -> String? {
        if title.trimmed.isEmpty {
            return localized("Type a word or two, such as “Dinner”.")
        }
        do {
            _ = try PromiseTitleText(title, field: "title")
            let at = try at(now: now, calendar: calendar)
            if !isSameTime, at < now + Self.notice {
                return localized("Choose a time at least 30 minutes from now.")
            }
            guard original == nil else {
                let isChanged = try change(now: now, calendar: calendar) != nil || !people.isEmpty
                return isChanged ? nil : localized("Nothing is changed yet.")
            }
            _ = try making(now: now, calendar: calendar)
        } catch {
            return CommandFault(error).shown(labels: Self.labels)
        }
        return people.isEmpty ? localized("Choose at least one mate.") : nil
    }

    private static let labels = [
        "title": localized("The title"), "locationName": localized("The name of the location"),
    ]

    /// Returns the changes to the promise; nil if there are none.
    /// - Throws: ``CommandFault/usage(_:field:)`` for the first field that breaks its rule.
    func change(
        now: Timestamp, calendar: Calendar = .here
    ) throws(CommandFault) -> EditPromise? {
        guard let original else { return nil }
        let old = original.promise
        let title = try PromiseTitleText(title, field: "title")
        let name = try PromiseLocationName(locationName, field: "locationName")
        let point = location == original.location ? nil : location
        var change = EditPromise(promise: NameOrKey(old.id))
        let unchanged = change
        if title.string != old.title.string { change.title = title }
        if !isSameTime { change.atMs = try at(now: now, calendar: calendar) }
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

    /// Returns the time that is meant.
    /// - Throws: ``CommandFault/usage(_:field:)`` if the words mean none.
    func at(
        now: Timestamp, calendar: Calendar = .here
    ) throws(CommandFault) -> Timestamp {
        switch TypedMoment(when, now: now, calendar: calendar) {
        case .moment(let moment): return moment
        case .empty: throw CommandFault.usage(Self.whenHint, field: "atMs")
        case .fault(let sentence):
            throw CommandFault.usage(Sentence(verbatim: sentence), field: "atMs")
        }
    }

    /// Returns the request that makes a promise.
    /// - Throws: ``CommandFault/usage(_:field:)`` for the first field that breaks its rule.
    func making(
        now: Timestamp, calendar: Calendar = .here
    ) throws(CommandFault) -> CreatePromise {
        let at = try at(now: now, calendar: calendar)
        guard let location else {
            throw CommandFault.usage(
                "Choose where to meet on the map.", field: "latitude")
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
