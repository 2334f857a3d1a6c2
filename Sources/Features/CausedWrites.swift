internal import PluginKit
internal import Synchronization

/// Limits the own writes of one kind that other people cause by what they send. Each person may
/// cause ``perPersonAtOnceMax`` at once, and then one in each ``perPersonInterval``; all of them
/// together ``atOnceMax``, and then one in each ``interval``. The counts begin anew when the node
/// starts.
///
/// Example: Ben sends 40 walk requests one by one. The items of the first 32 are written to the
/// inbox one by one. The others wait in memory, and five minutes later one batch stores them.
final class CausedWrites: Sendable {
    /// The writes that one person may cause at once.
    static let perPersonAtOnceMax = 32
    /// The time after which one person may cause one more.
    static let perPersonInterval = Duration.seconds(300)
    /// The writes that all people together may cause at once.
    static let atOnceMax = 256
    /// The time after which all people together may cause one more.
    static let interval = Duration.seconds(60)

    /// The account on which a write is counted.
    enum Cause: Hashable, Sendable {
        case person(PersonID)
        /// Items of this kind that name no person.
        case nobody(InboxKind)
    }

    private struct Accounts {
        var all = TokenBucket(atOnceMax: atOnceMax, interval: interval)
        /// Those that are not full. ``all`` limits how many there are.
        var byCause: [Cause: TokenBucket] = [:]
        /// The uptime at which a refused write will be permitted; nil if none was refused.
        var retry: Duration?

        func wait(_ cause: Cause, now uptime: Duration) -> Duration {
            max(all.wait(uptime: uptime), byCause[cause]?.wait(uptime: uptime) ?? .zero)
        }
    }

    private static let ofOnePerson = TokenBucket(
        atOnceMax: perPersonAtOnceMax, interval: perPersonInterval)

    private let accounts = Mutex(Accounts())

    /// Permits one write and counts it, or refuses it.
    func permit(_ cause: Cause, now uptime: Duration) -> Bool {
        accounts.withLock { accounts in
            let wait = accounts.wait(cause, now: uptime)
            guard wait == .zero else {
                accounts.retry = min(accounts.retry ?? uptime + wait, uptime + wait)
                return false
            }
            accounts.byCause = accounts.byCause.filter { !$0.value.isFull(uptime: uptime) }
            var own = accounts.byCause[cause] ?? Self.ofOnePerson
            guard accounts.all.permit(uptime: uptime), own.permit(uptime: uptime) else {
                return false
            }
            accounts.byCause[cause] = own
            return true
        }
    }

    /// Returns the time until a refused write is permitted; nil if none was refused.
    func untilRetry(now uptime: Duration) -> Duration? {
        accounts.withLock { accounts in accounts.retry.map { max(.zero, $0 - uptime) } }
    }

    /// Requests a retry when the next write is permitted.
    func requestRetry(_ cause: Cause, now uptime: Duration) {
        accounts.withLock { accounts in
            let due = uptime + accounts.wait(cause, now: uptime)
            accounts.retry = min(accounts.retry ?? due, due)
        }
    }

    /// Returns whether the refused writes should be tried again now. Those that are refused again
    /// are tried again later.
    func removeRetry(now uptime: Duration) -> Bool {
        accounts.withLock { accounts in
            guard let retry = accounts.retry, retry <= uptime else { return false }
            accounts.retry = nil
            return true
        }
    }
}
