internal import PluginKit

/// The limits of what people send about matches, and of the notices that they cause.
struct MatchAllowances: Sendable {
    /// The messages of one person.
    var messages = PersonBuckets(
        each: TokenBucket(atOnceMax: 32, interval: .milliseconds(250)))
    /// The notices of requests.
    var notices = PersonBuckets.noticesOfRequests
}
