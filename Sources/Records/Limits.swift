/// The bounds of the format, with their units. A number that arrives is compared with its bound
/// before anything is allocated for it.
public enum Limits {
    /// The length of a batch's body as it is hashed, in bytes.
    public static let batchBodyBytesMax = 64 * 1024
    /// The number of operations in one batch. A batch is never split.
    public static let batchOperationsMax = 4096
    /// The highest number of a batch in its log: 40 bits, so that `log << 40 | number` is a row id.
    public static let batchNumberMax: UInt64 = 1 << 40 - 1
    /// The length of text (as UTF-8) or bytes in one field, in bytes.
    public static let valueBytesMax = 32 * 1024
    /// The number of elements of a list value.
    public static let listElementsMax = 256
    /// The highest field number that a collection may declare; the lowest is 1.
    public static let fieldNumberMax: UInt64 = 4095
    /// The number of observed dots that one removal may list.
    public static let dotsMax = 1024
    /// The number of grants, accepts and cuts of one batch that can have an effect.
    public static let controlOperationsMax = 256
    /// The number of a person's cuts of themselves in one log that can have an effect; more than a
    /// person has devices.
    public static let ownCutsMax = 64
    /// The number of logs that one cut may list.
    public static let cutsMax = 1024
    /// The number of logs kept if a device forked its log, each with what is before the fork.
    public static let forkSidesMax = 4
    /// The number of stored batches of one device and number that a run is tried to continue; each
    /// try costs a signature check.
    public static let forkTriesMax = 64
    /// The number of batches in one run.
    public static let runBatchesMax = 65_536
    /// The length of a frame after both sides have sent HELLO, in bytes without its length field.
    public static let frameBytesMax = 256 * 1024
    /// The smallest frame limit a side may announce, in bytes: enough for any one message and any
    /// one batch.
    public static let frameBytesMin = 128 * 1024
    /// The length of a frame before HELLO was accepted, in bytes without its length field.
    public static let helloFrameBytesMax = 16 * 1024
    /// The number of spaces that one link may announce.
    public static let linkSpacesMax = 4096
    /// The number of logs (device and branch) that a vector may list.
    public static let vectorLogsMax = 1024
    /// The number of entries about one person's devices, including removed ones. The record is sent
    /// in HELLO: 130 bytes and 56 entries of at most 268 bytes are 15 138, plus at most 83 bytes
    /// before them in that frame, within the 16 384 of ``helloFrameBytesMax``.
    public static let personDevicesMax = 56
    /// The number of signatures that are checked of an unknown device's HELLO without a wait: those
    /// of the founding record and of eight entries that list the device. A longer chain waits for
    /// an allowance that all links share.
    public static let listingChecksMax = 17
    /// The number of people whose records a replica stores because one group has them as members,
    /// each with at most ``personBytesMax``.
    public static let groupPeopleMax = 1024
    /// The same number for a group that the replica's person has not joined: as many as a group of
    /// the features may have members.
    public static let invitedGroupPeopleMax = 64
    /// The length of a person's record, in bytes: the founding record, its signature, a count and
    /// the longest entries.
    public static let personBytesMax = 130 + personDevicesMax * 268
    /// The length of an ephemeral or direct message's body, in bytes.
    public static let messageBytesMax = 16 * 1024
    /// The length of an ephemeral or direct message's topic, in bytes of UTF-8.
    public static let topicBytesMax = 64
    /// The number of held batches of one device and space at which a replica refuses further runs
    /// with batches dated ahead until some are due.
    public static let heldBatchesMax = 1024
    /// The number of a person's operations on unknown entities of a space at which a replica
    /// refuses further runs with such operations until some of the entities are known.
    public static let waitingOperationsMax = 16_384
    /// The number of operations on unknown entities that a batch may have while it is held: so all
    /// held batches of a device have no more than may wait.
    public static let heldWaitingOperationsMax = waitingOperationsMax / heldBatchesMax
    /// The time by which a batch may be dated ahead of the corrected local clock before it is held
    /// (24 h).
    public static let stampAheadMax: Duration = .seconds(24 * 60 * 60)
    /// The time for which a batch counts in an open space, by its stamp (30 days).
    public static let openStampAgeMax: Duration = .seconds(30 * 24 * 60 * 60)
    /// The bytes that one person's batches may take per UTC day in an open space, each counted as
    /// in quotas.
    public static let openDayBytesMax = 64 * 1024
    /// The further bytes per day for batches that only erase something or end a log.
    public static let openDayReserveBytesMax = 16 * 1024
    /// The bytes that all batches and authors' records of one open space may take.
    public static let openSpaceBytesMax = 64 * 1024 * 1024
    /// The number of records that the stored batches of one open space may begin.
    public static let openSpaceRecordsMax = 50_000
    /// The number of logs of unknown authors that are stored in one open space.
    public static let openSpaceLogsMax = 4096
}
