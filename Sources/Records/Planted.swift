internal import Foundation

/// Bugs put in on purpose, to see whether the project's checks find them: `script/planted` builds
/// with the flag `PLANTED` and names one bug at a time. Without that flag none of them exists.
///
/// A check that finds no bug is worth nothing, and this is the one way to know.
package enum Planted: String, CaseIterable, Sendable {
    /// Commits are not synced to the disk.
    case syncSkipped = "sync-skipped"
    /// A run's signature is not checked.
    case signatureUnchecked = "signature-unchecked"
    /// Anybody's batches are taken into a space.
    case membershipForgotten = "membership-forgotten"
    /// Anybody may write any field.
    case writerRuleIgnored = "writer-rule-ignored"
    /// Of two writes to a field the one that arrived later stands.
    case orderedByArrival = "ordered-by-arrival"
    /// Writes of the same moment are put in the order of the replica's own numbers for logs.
    case tieByLocalNumber = "tie-by-local-number"
    /// What is sent of a log ends one batch too early.
    case lastLeftOut = "last-left-out"
    /// What was stored is not acknowledged.
    case acknowledgementDropped = "acknowledgement-dropped"
    /// One's own next batch now and then takes the number of the last one.
    case numberReused = "number-reused"
    /// A batch dated far ahead has its effect at once.
    case heldAppliedEarly = "held-applied-early"
    /// A removal that came before its addition is forgotten.
    case removalForgotten = "removal-forgotten"
    /// The bytes of what was erased stay.
    case erasedKept = "erased-kept"
    /// What waited for a record stays waiting when it comes.
    case wakeForgotten = "wake-forgotten"
    /// The clock does not follow the stamps it sees.
    case clockUnfollowed = "clock-unfollowed"
    /// Nobody counts as blocked.
    case blockForgotten = "block-forgotten"
    /// The other side is not told that a mateship has ended.
    case endUntold = "end-untold"
    /// Links with strangers are kept, however many there are.
    case strangersUnbounded = "strangers-unbounded"
    /// What a removed person wrote counts beyond what the removal names.
    case cutForgotten = "cut-forgotten"

    #if PLANTED
        private static let chosen = Planted(
            rawValue: ProcessInfo.processInfo.environment["WAGGLE_PLANTED_BUG"] ?? "")

        /// Whether this is the bug to be found now.
        package var isIn: Bool { Planted.chosen == self }
    #else
        /// Whether this is the bug to be found now: never, in this build.
        @inlinable package var isIn: Bool { false }
    #endif
}
