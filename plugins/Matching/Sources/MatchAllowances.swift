internal import MatchingAPI
internal import PluginKit

/// The limits of what people send about matches, and of the notices that they cause.
struct MatchAllowances: Sendable {
    /// The messages of one person.
    var messages = PersonBuckets(
        each: TokenBucket(atOnceMax: 32, interval: .milliseconds(250)))
    /// The answers to one person who asks for the reviews that I show: a few bytes make this device
    /// send all of them.
    var answers = PersonBuckets(
        each: TokenBucket(atOnceMax: 2, interval: MatchingReviews.answerMax))
    /// The notices of requests.
    var notices = PersonBuckets.noticesOfRequests
}
