import Contract
import PromisesAPI

/// The promises that the node reported last.
struct PromisesState: Equatable, Sendable {
    /// The promises that are not over, in the order of time.
    var open: [PromiseSummary] = []
    /// The pages of past promises that were queried, newest first.
    var past: [PromiseSummary] = []
    /// The cursor of their next page.
    var nextPast: Cursor?
    var hasAskedPast = false
    var today: PromisesToday?
    var ledger: [PromiseLedger.Person] = []
    /// The id of the promise that is open.
    var selected: Key?
    /// The people of it.
    var people: [PromisePerson] = []

    /// The promise that is open.
    var promise: PromiseSummary? { (open + past).first { $0.id == selected } }

    /// Today's promises.
    var todayText: String {
        guard let today, !today.promises.isEmpty else {
            return open.isEmpty ? "No promises yet." : "Nothing promised for today."
        }
        if today.allDone { return "All done for today." }
        guard let next = today.promises.first(where: { $0.id == today.next }) else {
            return "\(today.promises.count) today."
        }
        return "Next today: \(next.title), \(PromiseText.when(next.atMs))"
    }
}
