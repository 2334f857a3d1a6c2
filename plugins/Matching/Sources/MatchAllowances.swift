internal import PluginKit

/// The limits of one person: messages, and notices of requests. People whose buckets are
/// full are not kept, and others are at most as many as links.
struct MatchAllowances: Sendable {
    /// The messages that one person may send at once.
    static let messagesAtOnceMax = 32
    /// The time after which they may send one more.
    static let messageInterval = Duration.milliseconds(250)
    /// The time after which a request of the same person may notify again.
    static let noticeInterval = Duration.seconds(60)
    /// The notices of all people together at once, and the time after which one more is permitted.
    static let noticesAtOnceMax = 4
    static let allNoticesInterval = Duration.seconds(15)
    /// The number of people whose allowances are kept.
    static let peopleMax = 256

    private var messages: [PersonID: TokenBucket] = [:]
    private var notices: [PersonID: TokenBucket] = [:]
    private var allNotices = TokenBucket(
        atOnceMax: noticesAtOnceMax, interval: allNoticesInterval)

    /// Permits a message of a person and counts it.
    mutating func permitMessage(of person: PersonID, now: Duration) -> Bool {
        Self.permit(
            person, in: &messages, now: now,
            TokenBucket(
                atOnceMax: Self.messagesAtOnceMax, interval: Self.messageInterval))
    }

    /// Permits a notice of a person's request and counts it.
    mutating func permitNotice(of person: PersonID, now: Duration) -> Bool {
        guard allNotices.wait(uptime: now) == .zero,
            Self.permit(
                person, in: &notices, now: now,
                TokenBucket(atOnceMax: 1, interval: Self.noticeInterval))
        else { return false }
        return allNotices.permit(uptime: now)
    }

    /// Forgets a person whose devices are gone, as far as their buckets are full.
    mutating func forget(_ person: PersonID, now: Duration) {
        if messages[person]?.isFull(uptime: now) == true { messages[person] = nil }
        if notices[person]?.isFull(uptime: now) == true { notices[person] = nil }
    }

    private static func permit(
        _ person: PersonID, in buckets: inout [PersonID: TokenBucket], now: Duration,
        _ fresh: TokenBucket
    ) -> Bool {
        if buckets[person] == nil, buckets.count >= peopleMax {
            buckets = buckets.filter { !$0.value.isFull(uptime: now) }
            guard buckets.count < peopleMax else { return false }
        }
        return buckets[person, default: fresh].permit(uptime: now)
    }
}
