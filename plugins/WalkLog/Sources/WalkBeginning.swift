internal import PluginKit

/// The facts about a walk that are known when its recording begins.
struct WalkBeginning: Hashable, Sendable {
    /// The recording: random bytes that its journal and its record have in common.
    let recording: Bytes16
    /// The time of the beginning.
    let started: Timestamp
    /// The names of the dogs, at most ``WalkLimits/dogsCountMax``.
    var dogs: [String] = []
    /// The mates who come along, at most ``WalkLimits/peopleCountMax``.
    var people: [PersonID] = []
    /// The accepted walk request that the walk follows, if there is one. The other person's walk
    /// names the same, so the two are linked.
    var request: EntityID?
}
