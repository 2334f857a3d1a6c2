internal import FeaturesAPI
internal import PluginKit

/// The facts about a walk request. Its state follows from them and the time, and is the same on
/// every replica; no node has to be running for a request to run out.
struct WalkFacts: Hashable, Sendable {
    /// Whether I sent or received it.
    let direction: WalkRequest.Direction
    /// The time when the sender created it.
    let created: Timestamp
    /// The time of the walk, if the request names one.
    var at: Timestamp?
    /// Whether the receiver's node is known to have it; only the sender can tell.
    var isDelivered = false
    /// Whether another device of mine sent it, which alone knows whether it arrived.
    var isOfOtherDevice = false
    /// Whether the sender cancelled it.
    var isCancelled = false
    /// The receiver's answer, if there is one.
    var answer: Answer?
    /// The age of the request when it was answered, as the answering node measured it.
    var answerAge: Duration?
    /// Whether it reached the receiver's node only after it had run out.
    var wasMissed = false

    enum Answer: String, Sendable { case accepted, declined }

    /// The time for which a request without a time stays open.
    static let open = Duration.seconds(60)
    /// The greatest distance of a requested walk from now (31 days).
    static let aheadMax = Duration.seconds(31 * 24 * 60 * 60)
    /// The time when the request runs out.
    var deadline: Timestamp { at ?? created + Self.open }

    /// Returns the age of the request at a time; 0 for a request from the future.
    func age(now: Timestamp) -> Duration { max(.zero, now - created) }

    /// Returns whether the request has run out by a time.
    func isExpired(now: Timestamp) -> Bool { now >= deadline }

    /// Returns the time until it runs out. Without a named time it is never more than 60 s,
    /// even if the sender's clock is wrong.
    func left(now: Timestamp) -> Duration {
        let left = max(.zero, deadline - now)
        return at == nil ? min(left, Self.open) : left
    }

    /// Whether the answer was given in time, even if it arrived late.
    private var answerCounts: Bool {
        guard answer != nil, let answerAge else { return false }
        let life = at.map { $0 - created } ?? Self.open
        return answerAge < life
    }

    /// Returns the state at a time. A cancellation overrides an answer that was given without
    /// knowledge of it.
    ///
    /// A request that I sent is `queued` until it is known to have arrived, and `delivered` then;
    /// one that I received is `pending`. If it runs out, it is `expired` if it arrived in time. If
    /// it did not, it is `notAnswered` at the sender and `missed` at the receiver.
    func state(now: Timestamp) -> WalkRequest.State {
        if isCancelled { return .cancelled }
        if answerCounts, let answer { return answer == .accepted ? .accepted : .declined }
        let isOver = isExpired(now: now)
        switch direction {
        case .received:
            if wasMissed { return .missed }
            return isOver ? .expired : .pending
        case .sent:
            if isOver {
                let isKnownMissed = wasMissed || !isDelivered && !isOfOtherDevice
                return isKnownMissed ? .notAnswered : .expired
            }
            return isDelivered ? .delivered : .queued
        }
    }
}

extension WalkRequest.State {
    /// Whether one of the two people ended it.
    var isEnded: Bool { self == .cancelled || self == .accepted || self == .declined }

    /// Whether the sender may still cancel it.
    var isOpen: Bool { self == .queued || self == .delivered || self == .pending }
}
