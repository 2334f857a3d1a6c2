import Contract
import Foundation
import PanelKit
import WalkLogAPI

/// The texts about walks: values, so that each can be tested alone.
enum WalkText {
    /// "4:05", "1:04:05".
    static func clock(seconds: Int) -> String {
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return hours > 0
            ? String(format: "%d:%02d:%02d", hours, minutes, seconds % 60)
            : String(format: "%d:%02d", minutes, seconds % 60)
    }

    /// "1.20 km · 4.8 km/h · 96 kcal".
    static func numbers(_ measures: WalkMeasures) -> String {
        numbers(
            metres: measures.distanceMetres.value, kmh: measures.speedKmh.value,
            kilocalories: measures.kilocalories.value)
    }

    private static func numbers(metres: Double, kmh: Double, kilocalories: Int) -> String {
        let speed = String(format: "%.1f", kmh)
        let energy = NumberText.grouped(kilocalories)
        return localized("\(ShownDistance.text(metres: metres)) · \(speed) km/h · \(energy) kcal")
    }

    /// The distance and the time of a walk in a list.
    static func line(of walk: RecordedWalk) -> String {
        let measures = walk.measures
        let time = clock(seconds: measures.elapsedSeconds.value)
        let parts =
            [ShownDistance.text(metres: measures.distanceMetres.value), time]
            + walk.company.dogs.map(\.string)
        return parts.joined(separator: " · ")
    }

    /// The distance and the time of a shared walk.
    static func line(of walk: SharedWalk) -> String {
        let metres = ShownDistance.text(metres: walk.distanceMetres.value)
        return "\(metres) · \(clock(seconds: walk.elapsedSeconds.value))"
    }

    /// The dogs and mates of a walk; nil without any.
    static func company(_ company: WalkCompany) -> String? {
        let names =
            company.dogs.map { Sentence(verbatim: $0.string) }
            + company.mates.map { Sentence(verbatim: $0.shownName) }
        return names.isEmpty ? nil : localized("Company: \(Sentence.list(names))")
    }

    /// The time of day at this device: "14:05".
    static func timeOfDay(_ time: Timestamp) -> String {
        let parts = Calendar.here.dateComponents([.hour, .minute], from: Date(time))
        return DateText.clock(parts.hour ?? 0, parts.minute ?? 0)
    }

    /// The position of a replay: "14:05 · 520 m".
    static func position(_ position: WalkReplay.Position) -> String {
        "\(timeOfDay(position.time)) · \(ShownDistance.text(metres: position.metres))"
    }

    /// The name that a walk's file is called after: "Walk of 2026-11-23".
    static func fileName(of walk: RecordedWalk) -> String {
        let parts = Calendar.here.dateComponents(
            [.year, .month, .day], from: Date(walk.startedMs))
        let date = String(
            format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
        return localized("Walk of \(date)")
    }

    /// The numbers of a mate's walk: "1.20 km · 4.8 km/h · 96 kcal".
    static func numbers(_ walk: SharedWalk) -> String {
        let (metres, seconds) = (walk.distanceMetres.value, walk.elapsedSeconds.value)
        return numbers(
            metres: metres, kmh: seconds > 0 ? metres / Double(seconds) * 3.6 : 0,
            kilocalories: walk.kilocalories.value)
    }

    /// A week or a month.
    enum Unit {
        case week, month

        /// The heading of the sums.
        var heading: String {
            switch self {
            case .week: localized("Last 12 weeks")
            case .month: localized("Last 12 months")
            }
        }

        /// The sum of the present span in a sentence.
        func present(_ sum: String) -> String {
            switch self {
            case .week: localized("This week: \(sum)")
            case .month: localized("This month: \(sum)")
            }
        }

        /// The first day of a week, or a month: "Mon 23 Nov", "Nov 2026".
        func name(of span: WalkTotals.Span) -> String {
            let parts = Calendar.here.dateComponents(
                [.weekday, .day, .month, .year], from: Date(span.startedMs))
            let (month, year) = (parts.month ?? 0, parts.year ?? 0)
            switch self {
            case .week:
                return DateText(
                    weekday: parts.weekday ?? 0, day: parts.day ?? 0, month: month, year: year,
                    hour: 0, minute: 0
                ).day()
            case .month: return DateText.month(month, year: year)
            }
        }
    }

    /// The spans that have walks, for a screen reader: "Oct 2026: 1 walk, 1.20 km".
    static func list(of spans: [WalkTotals.Span], by unit: Unit) -> String {
        spans.filter { $0.walksCount.value > 0 }
            .map { "\(unit.name(of: $0)): \(sum($0))" }.joined(separator: "; ")
    }

    /// The walks of a week or a month in words.
    static func sum(_ span: WalkTotals.Span) -> String {
        let metres = ShownDistance.text(metres: span.distanceMetres.value)
        let count = span.walksCount.value
        return localized(
            Sentence(count: count, one: "1 walk, \(metres)", other: "\(count) walks, \(metres)"))
    }
}

extension WalkMate {
    /// The name, or the beginning of the key of a mate without one.
    var shownName: String { name?.string ?? String(person.string.prefix(6)) }
}
