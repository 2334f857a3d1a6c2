/// Every bound of the format, beside its unit. A number that arrives is compared with one of
/// these before anything is allocated for it.
public enum Limits {
    /// A batch's body as it is hashed, in bytes.
    public static let batchBodyBytesMax = 64 * 1024
    /// Operations in one batch. A batch is never split.
    public static let batchOperationsMax = 4096
    /// The highest number of a batch in its log: 40 bits, so that `log << 40 | number` is a row id.
    public static let batchNumberMax: UInt64 = 1 << 40 - 1
    /// Text or bytes in one field, in bytes of UTF-8.
    public static let valueBytesMax = 32 * 1024
    /// Elements of a list value.
    public static let listElementsMax = 256
    /// Field numbers a collection may declare: 1 to this.
    public static let fieldNumberMax: UInt64 = 4095
    /// Observed dots that one remove may name.
    public static let dotsMax = 1024
    /// Logs one cut may name.
    public static let cutsMax = 1024
    /// Sides kept where a device signed several batches of one number.
    public static let forkSidesMax = 4
    /// Batches of one number and device that a run is tried to go on from; each try costs a
    /// signature's check.
    public static let forkTriesMax = 64
    /// Batches in one run.
    public static let runBatchesMax = 65_536
    /// A frame on the wire, in bytes after its length, once both sides have said HELLO.
    public static let frameBytesMax = 256 * 1024
    /// The least that a side may take as its longest frame: any one message, and any one batch.
    public static let frameBytesMin = 128 * 1024
    /// A frame on the wire before HELLO was accepted, in bytes after its length.
    public static let helloFrameBytesMax = 16 * 1024
    /// Spaces one link may announce.
    public static let linkSpacesMax = 4096
    /// Logs (space, device, branch) a vector may name.
    public static let vectorLogsMax = 1024
    /// Entries about one person's devices, removed ones included. The record goes in HELLO: 130
    /// bytes and 56 entries of at most 268 are 15 138, and what stands before them in that frame
    /// has at most 83, of the 16 384 of ``helloFrameBytesMax``.
    public static let personDevicesMax = 56
    /// Body of an ephemeral or direct message, in bytes.
    public static let messageBytesMax = 16 * 1024
    /// Topic of an ephemeral or direct message, in bytes of UTF-8.
    public static let topicBytesMax = 64
    /// How far ahead of the corrected local clock a batch may be dated before it is held, in
    /// milliseconds (24 h).
    public static let stampAheadMillisecondsMax: UInt64 = 24 * 60 * 60 * 1000
}
