/// What the page knows of promises, as the node told it last.
struct PromisesState: Equatable, Sendable {
    /// Those that are not over, in the order of time.
    var open: [PromiseSummary] = []
    /// The pages of past ones that were asked for, newest first.
    var past: [PromiseSummary] = []
    /// Where the next page of them begins.
    var nextPast: String?
    var hasAskedPast = false
    var today: PromiseToday?
    var ledger: [LedgerPerson] = []
    /// The id of the promise that is open.
    var selected: String?
    /// The people of it.
    var people: [PromisePerson] = []

    /// The promise that is open.
    var promise: PromiseSummary? { (open + past).first { $0.id == selected } }

    /// What today is about.
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
