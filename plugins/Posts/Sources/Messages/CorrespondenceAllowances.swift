internal import PluginKit

/// The limits of what people send about correspondences, and of the notices that they cause.
struct CorrespondenceAllowances: Sendable {
    /// The messages of one person.
    var messages = PersonBuckets(each: TokenBucket(atOnceMax: 8, interval: .seconds(10)))
    /// The requests whose signatures are checked, at most 18 each. Eight strangers together stay
    /// below what is checked of all people. Those that another device of this person passes on
    /// count only against the limit of all people together.
    var requests = PersonBuckets(
        each: TokenBucket(atOnceMax: 3, interval: .seconds(60)),
        all: TokenBucket(atOnceMax: 32, interval: .seconds(2)))
    /// The notices of requests.
    var notices = PersonBuckets.noticesOfRequests
}
