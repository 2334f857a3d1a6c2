internal import PluginKit

/// The limits of what people send about correspondences, and of the notices that they cause.
/// People whose buckets are full are not kept.
struct CorrespondenceAllowances: Sendable {
    /// The messages that one person may send at once, and the time after which one more is
    /// permitted. A request costs up to 18 signature checks.
    static let messagesAtOnceMax = 8
    static let messageInterval = Duration.seconds(10)
    /// The requests of one person that are checked. Eight strangers together stay below what is
    /// checked of all people.
    static let personRequestsAtOnceMax = 3
    static let personRequestInterval = Duration.seconds(60)
    /// The requests of all people together.
    static let requestsAtOnceMax = 32
    static let requestInterval = Duration.seconds(2)
    /// The time after which a request of the same person may notify again.
    static let noticeInterval = Duration.seconds(60)
    /// The notices of all people together.
    static let noticesAtOnceMax = 4
    static let allNoticesInterval = Duration.seconds(15)
    /// The number of people whose allowances are kept.
    static let peopleMax = 256

    private var messages: [PersonID: TokenBucket] = [:]
    private var requests: [PersonID: TokenBucket] = [:]
    private var notices: [PersonID: TokenBucket] = [:]
    private var allRequests = TokenBucket(
        atOnceMax: requestsAtOnceMax, interval: requestInterval)
    private var allNotices = TokenBucket(
        atOnceMax: noticesAtOnceMax, interval: allNoticesInterval)

    /// Permits a message of a person and counts it.
    mutating func permitMessage(of person: PersonID, now: Duration) -> Bool {
        Self.permit(
            person, in: &messages, now: now,
            TokenBucket(atOnceMax: Self.messagesAtOnceMax, interval: Self.messageInterval))
    }

    /// Permits the check of a request's signatures and counts it.
    /// - Parameter person: the person whose device sent it; nil if that is this person.
    mutating func permitRequest(of person: PersonID?, now: Duration) -> Bool {
        guard allRequests.wait(uptime: now) == .zero else { return false }
        if let person {
            let fresh = TokenBucket(
                atOnceMax: Self.personRequestsAtOnceMax, interval: Self.personRequestInterval)
            guard Self.permit(person, in: &requests, now: now, fresh) else { return false }
        }
        return allRequests.permit(uptime: now)
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
