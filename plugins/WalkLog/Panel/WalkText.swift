import Contract
import Foundation
import PanelKit
import WalkLogAPI

/// The texts about walks: values, so that each can be tested alone.
enum WalkText {
    /// "999 m", "1.00 km".
    static func distance(_ metres: Double) -> String {
        let whole = metres.rounded()
        return whole < 1000
            ? "\(Int(max(0, whole))) m" : String(format: "%.2f km", min(metres, 1e12) / 1000)
    }

    /// "4:05", "1:04:05".
    static func clock(seconds: Int) -> String {
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return hours > 0
            ? String(format: "%d:%02d:%02d", hours, minutes, seconds % 60)
            : String(format: "%d:%02d", minutes, seconds % 60)
    }

    /// "1.20 km · 4.8 km/h · 96 kcal".
    static func numbers(_ measures: WalkMeasures) -> String {
        let speed = String(format: "%.1f", measures.speedKmh.value)
        let energy = NumberText.grouped(measures.kilocalories.value)
        return localized(
            "\(distance(measures.distanceMetres.value)) · \(speed) km/h · \(energy) kcal")
    }

    /// The distance and the time of a walk in a list.
    static func line(of walk: RecordedWalk) -> String {
        let measures = walk.measures
        let time = clock(seconds: measures.elapsedSeconds.value)
        let parts =
            [distance(measures.distanceMetres.value), time] + walk.company.dogs.map(\.string)
        return parts.joined(separator: " · ")
    }

    /// The distance and the time of a shared walk.
    static func line(of walk: SharedWalk) -> String {
        "\(distance(walk.distanceMetres.value)) · \(clock(seconds: walk.elapsedSeconds.value))"
    }

    /// The dogs and mates of a walk; nil without any.
    static func company(_ company: WalkCompany) -> String? {
        let names =
            company.dogs.map { Sentence(verbatim: $0.string) }
            + company.mates.map { Sentence(verbatim: $0.shownName) }
        return names.isEmpty ? nil : localized("Company: \(Sentence.list(names))")
    }

    /// The walks of a week in words, which is also the name of its bar.
    static func week(_ span: WalkTotals.Span) -> String {
        let metres = distance(span.distanceMetres.value)
        let count = span.walksCount.value
        return localized(
            Sentence(count: count, one: "1 walk, \(metres)", other: "\(count) walks, \(metres)"))
    }
}

extension WalkMate {
    /// The name, or the beginning of the key of a mate without one.
    var shownName: String { name?.string ?? String(person.string.prefix(6)) }
}
