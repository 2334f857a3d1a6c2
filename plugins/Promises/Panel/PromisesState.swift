import Contract
import PromisesAPI

/// The promises that the node reported last.
struct PromisesState: Equatable, Sendable {
    /// The promises that are not over, in the order of time.
    var open: [PromiseSummary] = []
    /// The others who take part in each promise that shows the user's location.
    var viewers: [Key: [PromisePerson]] = [:]
    /// The pages of past promises that were queried, newest first.
    var past: [PromiseSummary] = []
    /// The cursor of their next page.
    var nextPast: Cursor?
    var hasAskedPast = false
    var today: PromisesToday?
    var ledger: [PromiseLedger.Person] = []
    /// The single debts in the ledger, newest first.
    var debts: [PromiseLedger.Debt] = []
    /// The id of the promise that is open.
    var selected: Key?
    /// The people of it.
    var people: [PromisePerson] = []
    /// Its result, if it is past.
    var result: PromiseResult?

    /// A promise that was opened by its id and is in no list.
    var found: PromiseSummary?

    /// The promise that is open.
    var promise: PromiseSummary? {
        (open + past + [found].compactMap(\.self)).first { $0.id == selected }
    }

    /// The heading of the page of all promises: today's at a glance.
    var heading: String {
        guard let today else { return localized("Promises") }
        let ids = Set(today.promises.map(\.id))
        let count = open.count { ids.contains($0.id) }
        if today.allDone { return localized("All done for today") }
        if count == 0 {
            return open.isEmpty ? localized("No promises yet") : localized("No promises today")
        }
        return localized(
            Sentence(count: count, one: "1 promise today", other: "\(count) promises today"))
    }

    /// The promises that wait for this user's answer.
    var invitations: [PromiseSummary] { open.filter { $0.state == .invited } }

    /// Today's promises without the invitations, in the order of time.
    var ofToday: [PromiseSummary] {
        let ids = Set(today?.promises.map(\.id) ?? [])
        return open.filter { ids.contains($0.id) && $0.state != .invited }
    }

    /// The promises of later days without the invitations, in the order of time.
    var ofLaterDays: [PromiseSummary] {
        let ids = Set(today?.promises.map(\.id) ?? [])
        return open.filter { !ids.contains($0.id) && $0.state != .invited }
    }

    /// Today's promises besides the open one.
    var othersOfToday: [PromiseSummary] { ofToday.filter { $0.id != selected } }

    /// The ledger with this user first.
    var standings: [PromiseLedger.Person] { ledger.filter(\.me) + ledger.filter { !$0.me } }
}
