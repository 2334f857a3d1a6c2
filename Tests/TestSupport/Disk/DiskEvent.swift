public import Foundation

/// One action on a file of one directory.
public struct DiskEvent: Hashable, Sendable {
    /// The file's name; empty for the directory itself.
    public let name: String
    /// The action.
    public let action: Action

    /// Creates the event of an action on a file.
    public init(_ name: String, _ action: Action) {
        self.name = name
        self.action = action
    }

    /// The actions that a disk records.
    public enum Action: Hashable, Sendable {
        case open
        case create
        case read
        /// Bytes were written at an offset in the file.
        case write(at: Int, Data)
        case resize(Int)
        case sync
        /// A sync that failed. The unsynced bytes stay readable, and no later sync writes them to
        /// the disk: the system regards them as written.
        case failedSync
        case remove
        /// The file got another name; it keeps the first.
        case link(String)
        /// The file got another name in place of the first.
        case rename(String)
        case syncDirectory
        /// The file was mapped into memory.
        case map
        /// The program under test inserted a number between the calls.
        case marker(Int)
        /// A call that failed and did nothing.
        case failed
    }

    /// Whether the action may change the disk.
    public var isChange: Bool {
        switch action {
        case .create, .write, .resize, .sync, .failedSync, .remove, .link, .rename,
            .syncDirectory:
            true
        case .open, .read, .map, .marker, .failed: false
        }
    }
}
