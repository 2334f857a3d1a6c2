/// How well somebody keeps promises, derived from those that are past.
struct Standing: Hashable, Sendable {
    /// Promises that are past.
    let pastCount: Int
    /// Those of them to which they came late or not at all.
    let lateCount: Int

    /// How many of 100 promises are kept; nil before the first.
    var keptPercent: Double? {
        pastCount == 0 ? nil : 100 - 100 * Double(lateCount) / Double(pastCount)
    }

    /// What that is called.
    var title: Title { Title(keptPercent: keptPercent) }
}

/// What people are called by how many of their promises they keep.
enum Title: String, Hashable, Sendable, CaseIterable {
    case newcomer = "Newcomer"
    case plankton = "Plankton"
    case inchworm = "Inchworm"
    case truant = "Truant"
    case halfAndHalf = "Half-and-half"
    case ordinary = "Ordinary"
    case guardian = "Guardian"
    case friendsFavourite = "Friends' favourite"
    case saint = "Saint"

    /// Where each begins, in percent kept; it ends where the next begins.
    private static let beginnings: [(percent: Double, title: Title)] = [
        (96, .saint), (91, .friendsFavourite), (81, .guardian), (71, .ordinary),
        (51, .halfAndHalf), (31, .truant), (1, .inchworm),
    ]

    /// The title of a share of promises kept, from 0 to 100; nil for none past yet.
    init(keptPercent: Double?) {
        guard let keptPercent else {
            self = .newcomer
            return
        }
        self = Title.beginnings.first { keptPercent >= $0.percent }?.title ?? .plankton
    }
}
