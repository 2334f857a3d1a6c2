public import Foundation

/// Something that was done to a file of one directory.
public struct DiskEvent: Hashable, Sendable {
    /// The file's name; empty for the directory's own.
    public let name: String
    public let action: Action

    public init(_ name: String, _ action: Action) {
        self.name = name
        self.action = action
    }

    public enum Action: Hashable, Sendable {
        case open
        case create
        case read
        /// Bytes went to a place in the file.
        case write(at: Int, Data)
        case resize(Int)
        case sync
        /// A sync that failed. What it was about stays readable, and no later sync brings it to
        /// the disk: the system has taken it for written.
        case failedSync
        case remove
        case syncDirectory
        /// The file was mapped into memory.
        case map
        /// The program under test noted a number between the calls.
        case note(Int)
        /// A call that failed and did nothing.
        case failed
    }

    /// Whether the disk may look otherwise after it.
    public var isChange: Bool {
        switch action {
        case .create, .write, .resize, .sync, .failedSync, .remove, .syncDirectory: true
        case .open, .read, .map, .note, .failed: false
        }
    }
}
