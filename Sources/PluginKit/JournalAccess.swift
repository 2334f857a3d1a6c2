/// The journal of a plugin on this device, for a plugin that declares
/// ``Manifest/Service/journal``: a file of entries that survives a crash of the node and a power
/// cut. It is for work that is under way and becomes a record when it is done. No other device
/// receives it, and neither a backup nor an export contains it.
///
/// ```swift
/// try await context.journal.append([entry.encoded])  // on the disk when this returns
/// let entries = try await context.journal.entries()  // after a start
/// try await context.journal.clear()  // once the record is written
/// ```
///
/// The entries are written in the order of the calls: wait for one call before the next.
public protocol JournalAccess: Sendable {
    /// Returns all entries, oldest first. An entry that a crash cut off is left out, and so is
    /// everything after a damaged one.
    /// - Throws: ``CommandFault/failed(_:)`` if the file cannot be read or is none of these.
    func entries() async throws -> [[UInt8]]
    /// Adds entries at the end; they are on the disk when this returns.
    /// - Throws: ``CommandFault/refused(_:)`` if an entry is longer than
    ///   ``JournalLimits/entryBytesMax`` or the journal would be longer than
    ///   ``JournalLimits/bytesMax``, ``CommandFault/failed(_:)`` if the disk does not store them.
    ///   None of them is stored then.
    func append(_ entries: [[UInt8]]) async throws
    /// Removes all entries.
    /// - Throws: ``CommandFault/failed(_:)`` if the file cannot be removed.
    func clear() async throws
}

/// The limits of a journal.
public enum JournalLimits {
    /// The longest entry, in bytes.
    public static let entryBytesMax = 4096
    /// The longest journal with the frames of its entries, in bytes (4 MiB).
    public static let bytesMax = 4 * 1024 * 1024
}
