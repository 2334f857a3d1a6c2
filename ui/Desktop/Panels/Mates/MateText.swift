import Contract
import FeaturesAPI
import GtkKit
import Location
import PanelKit

/// The texts and markers for a mate.
enum MateText {
    /// Returns the heading of the list: the number of those who have answered.
    static func heading(of mates: [MateList.Mate]) -> String {
        let count = mates.count { $0.state == .mate }
        return count == 0
            ? localized("No mates yet")
            : localized(
                Sentence(
                    count: count, one: "1 mate", other: "\(NumberText.grouped(count)) mates"))
    }

    /// Returns the presence in words: here, or the time when last met.
    static func presence(of mate: MateList.Mate, now: Timestamp) -> String {
        if mate.state == .waiting { return localized("Waiting for their answer") }
        if mate.present { return localized("Here now") }
        guard let last = mate.lastExchangeMs else { return localized("Not met again yet") }
        return localized("Last met \(AgeText.ago(since: last, now: now))")
    }

    /// Returns the distance, the direction and the age of the location, or nil if they show no
    /// location and the way to them is not measured.
    /// - Parameter measured: the measured way, which replaces that by their location.
    static func location(
        of mate: MateList.Mate, way: String?, measured: String? = nil, now: Timestamp
    ) -> String? {
        if let measured { return measured }
        guard let location = mate.location else { return nil }
        let age = AgeText.ago(since: location.atMs, now: now)
        guard let way else { return localized("Location from \(age)") }
        return "\(way), \(age)"
    }

    /// Returns the presence and the location in one short line for a row. It says no age of a
    /// location from less than a minute ago.
    static func whereabouts(
        of mate: MateList.Mate, way: String?, measured: String? = nil, now: Timestamp
    ) -> String {
        let presence = presence(of: mate, now: now)
        if let measured, mate.state == .mate { return localized("Here · \(measured)") }
        guard let location = mate.location else { return presence }
        let isFresh = now - location.atMs < .seconds(60)
        let place = isFresh ? way : self.location(of: mate, way: way, now: now)
        guard let place else { return presence }
        return mate.present && mate.state == .mate
            ? localized("Here · \(place)") : "\(presence) · \(place)"
    }

    /// Returns the markers of those of the mates whose location is known.
    @MainActor
    static func markers(
        of mates: [MateList.Mate], _ people: People, now: Timestamp,
        photo: (Key) -> Picture? = { _ in nil }
    ) -> [MapMarker] {
        mates.compactMap { mate in
            marker(
                of: mate, photo: mate.location == nil ? nil : photo(mate.person),
                title: people.name(of: mate.person), name: mate.name,
                way: people.way(to: mate.location?.coordinate),
                measured: people.measuredWay(to: mate.person, now: now), now: now)
        }
    }

    private static func marker(
        of mate: MateList.Mate, photo: Picture?, title: String, name: String?, way: String?,
        measured: String?, now: Timestamp
    ) -> MapMarker? {
        guard let location = mate.location else { return nil }
        let age = now - location.atMs
        let shared = [way, localized(AgeText.ago(age))].compactMap { $0 }
        return MapMarker(
            id: mate.person.string, symbol: .person, coordinate: location.coordinate,
            title: title, detail: measured ?? shared.joined(separator: " · "),
            isStale: age > MapMarker.freshMax, photo: photo, name: name,
            offer: .person(mate.person))
    }
}
