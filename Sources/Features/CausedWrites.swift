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
        /// Nobody is named as the cause of items of this kind.
        case nobody(InboxKind)
    }

    /// Permits some writes at once, and then one in each interval.
    private struct Account {
        /// The uptime at which everything is permitted again.
        var full = Duration.zero

        func wait(_ atOnceMax: Int, _ interval: Duration, now uptime: Duration) -> Duration {
            max(.zero, full - interval * (atOnceMax - 1) - uptime)
        }

        mutating func spend(_ interval: Duration, now uptime: Duration) {
            full = max(full, uptime) + interval
        }
    }

    private struct Accounts {
        var all = Account()
        /// Those that are not full. ``all`` limits how many there are.
        var byCause: [Cause: Account] = [:]
        /// The uptime at which a refused write will be permitted; nil if none was refused.
        var retry: Duration?

        func wait(_ cause: Cause, now uptime: Duration) -> Duration {
            max(
                all.wait(atOnceMax, interval, now: uptime),
                (byCause[cause] ?? Account())
                    .wait(perPersonAtOnceMax, perPersonInterval, now: uptime))
        }
    }

    private let accounts = Mutex(Accounts())

    /// Permits one write and counts it, or refuses it.
    func permit(_ cause: Cause, now uptime: Duration) -> Bool {
        accounts.withLock { accounts in
            let wait = accounts.wait(cause, now: uptime)
            guard wait == .zero else {
                accounts.retry = min(accounts.retry ?? uptime + wait, uptime + wait)
                return false
            }
            accounts.byCause = accounts.byCause.filter { $0.value.full > uptime }
            accounts.all.spend(Self.interval, now: uptime)
            accounts.byCause[cause, default: Account()]
                .spend(Self.perPersonInterval, now: uptime)
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
