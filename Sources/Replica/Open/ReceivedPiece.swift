public import Identity
public import Records

/// The result of receiving a piece of a log of an open space. What it says is synced to the disk.
public struct ReceivedPiece: Sendable {
    /// Whether the piece was stored.
    public let result: Result
    /// The applied batches, to be announced.
    public internal(set) var commits: [Commit] = []
    /// The changes of records that were removed meanwhile: they expired, or made room.
    public internal(set) var removed: [RecordChange] = []
    /// The change of the author's record, if that is here for another reason than an open space:
    /// the author is this person, a mate, or a member of a group.
    public internal(set) var person: KnownPerson?

    /// A change of a known person's record.
    public struct KnownPerson: Equatable, Sendable {
        /// The record as it was here.
        public let before: PersonRecord
        /// The record as it is stored now.
        public let after: PersonRecord
    }

    /// Whether a piece was stored, and when to ask again if not.
    public enum Result: Equatable, Sendable {
        /// The piece is stored, as far as it has not expired; the log is now offered in this way.
        case stored(OfferedLog)
        /// The author's allowances of all days are used up. Before this time, no further batch of
        /// the author is stored. The sender keeps the rest.
        case overAllowance(until: Timestamp)
        /// The link's peer has brought as much of unknown authors as its share is. It is not asked
        /// for their logs until ``OpenUse/fullBringers`` names it no more.
        case noShare
        /// The space is full, or the disk is.
        case noRoom
        /// All batches of the piece have expired.
        case expired
        /// A batch was refused.
        case refused(BatchFault)
        /// The author's person record was refused.
        case refusedRecord(IdentityFault)
    }
}
