internal import PluginKit
internal import PromisesAPI

extension PromisePhase {
    /// The phase at a moment of a promise for a time. Deleted promises are not considered.
    init(at: Timestamp, now: Timestamp) {
        let left = at - now
        if left > PromiseLimits.tracking {
            self = .scheduled
        } else {
            self = now - at < PromiseLimits.past ? .tracking : .past
        }
    }
}
