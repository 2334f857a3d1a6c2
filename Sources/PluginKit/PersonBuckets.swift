public import Records

/// Limits a rate for each person, and if needed for all people together.
///
/// ```swift
/// var requests = PersonBuckets(
///     each: TokenBucket(atOnceMax: 3, interval: .seconds(60)),
///     all: TokenBucket(atOnceMax: 32, interval: .seconds(2)))
/// guard requests.permit(message.from.person, now: context.clock.uptime) else { return }
/// ```
/// Remembers only people whose bucket is not full, and at most ``peopleMax``. If there are more,
/// the person whose bucket is nearest to full is forgotten, and later begins with a full bucket. So
/// a peer that invents many people does not keep others from their steps.
public struct PersonBuckets: Sendable {
    /// The maximum number of people who are remembered.
    public static let peopleMax = 256

    private let each: TokenBucket
    private var all: TokenBucket?
    private var byPerson: [PersonID: TokenBucket] = [:]

    /// Creates a limit.
    /// - Parameters:
    ///   - each: the bucket of one person, as it is at first.
    ///   - all: the bucket of all people together; nil if each person only has their own.
    public init(each: TokenBucket, all: TokenBucket? = nil) {
        self.each = each
        self.all = all
    }

    /// Permits one step of a person and counts it, or refuses it. A refused step costs nothing.
    /// - Parameter person: the person who causes it; nil counts it only for all people together.
    public mutating func permit(_ person: PersonID?, now uptime: Duration) -> Bool {
        guard wait(person, now: uptime) == .zero else { return false }
        if let person {
            if byPerson[person] == nil {
                makeRoom(uptime: uptime)
            }
            _ = byPerson[person, default: each].permit(uptime: uptime)
        }
        _ = all?.permit(uptime: uptime)
        return true
    }

    private mutating func makeRoom(uptime: Duration) {
        byPerson = byPerson.filter { !$0.value.isFull(uptime: uptime) }
        guard byPerson.count >= Self.peopleMax else { return }
        let fullest = byPerson.min { one, other in
            (one.value.waitUntilFull(uptime: uptime), one.key)
                < (other.value.waitUntilFull(uptime: uptime), other.key)
        }
        if let fullest { byPerson[fullest.key] = nil }
    }

    /// Returns the time until the buckets permit a step of a person.
    public func wait(_ person: PersonID?, now uptime: Duration) -> Duration {
        let own = person.flatMap { byPerson[$0] }?.wait(uptime: uptime) ?? .zero
        return max(own, all?.wait(uptime: uptime) ?? .zero)
    }
}

extension PersonBuckets {
    /// Returns the limit of the notices about requests, which strangers cause: one a minute of each
    /// person, and of all people four at once and then one in 15 seconds.
    public static var noticesOfRequests: PersonBuckets {
        PersonBuckets(
            each: TokenBucket(atOnceMax: 1, interval: .seconds(60)),
            all: TokenBucket(atOnceMax: 4, interval: .seconds(15)))
    }
}
