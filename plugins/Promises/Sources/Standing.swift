internal import PromisesAPI

/// The number of past promises of a person and of those they were late for.
struct Standing: Hashable, Sendable {
    /// The number of promises that are past.
    let pastCount: Int
    /// The number of them to which they came late or not at all.
    let lateCount: Int

    /// The promises kept, in percent; nil if none is past yet.
    var keptPercent: Double? {
        pastCount == 0 ? nil : 100 - 100 * Double(lateCount) / Double(pastCount)
    }

    /// The title for that share.
    var title: PromiseTitle { PromiseTitle(keptPercent: keptPercent) }
}

extension PromiseTitle {
    /// The percent kept at which each title begins; it ends at the beginning of the next.
    private static let beginnings: [(percent: Double, title: PromiseTitle)] = [
        (96, .saint), (91, .friendsFavourite), (81, .guardian), (71, .ordinary),
        (51, .halfAndHalf), (31, .truant), (1, .inchworm),
    ]

    /// The title for a share of promises kept, from 0 to 100; nil if none is past yet.
    init(keptPercent: Double?) {
        guard let keptPercent else {
            self = .newcomer
            return
        }
        self = Self.beginnings.first { keptPercent >= $0.percent }?.title ?? .plankton
    }
}
