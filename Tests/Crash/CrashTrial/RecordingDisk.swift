internal import CRecordingDisk
internal import Foundation
internal import Glibc
internal import TestSupport

/// A disk that records the calls to one directory, and fails on command. There is one per process,
/// because it replaces the C library's file calls.
enum RecordingDisk {
    /// Clears the record and watches a directory.
    static func watch(_ directory: String) { unsafe disk_watch(directory) }

    /// Stops watching; the record stays until the next watch.
    static func unwatch() { disk_unwatch() }

    /// Inserts a number between the calls.
    static func mark(_ number: Int) { disk_mark(UInt64(number)) }

    /// Makes every sync of a file do nothing and report success, until the watch ends.
    static func skipSyncs(of file: String) { unsafe disk_skip_syncs(file) }

    /// A way in which calls fail.
    struct Failure: Hashable, CustomStringConvertible {
        /// The calls, counted since the watch began.
        let calls: ClosedRange<Int>
        /// The system's reason; nil for a partial write that reports its length.
        let reason: Int32?
        /// The kind of call that fails.
        let kind: Kind

        var description: String {
            let reason = reason.map { unsafe String(cString: strerror($0)) } ?? "half of the bytes"
            let first = calls.lowerBound
            return
                "\(kind), \(first == calls.upperBound ? "call" : "from call") \(first): \(reason)"
        }
    }

    /// The kinds of call, as the disk names them.
    enum Kind: CaseIterable {
        case open, create, read, write, resize, sync, remove, link, rename, map

        fileprivate init?(_ action: disk_action) {
            guard let kind = Kind.allCases.first(where: { $0.action == action }) else { return nil }
            self = kind
        }

        fileprivate var action: disk_action {
            switch self {
            case .open: disk_opened
            case .create: disk_created
            case .read: disk_read
            case .write: disk_written
            case .resize: disk_resized
            case .sync: disk_synced
            case .remove: disk_removed
            case .link: disk_linked
            case .rename: disk_renamed
            case .map: disk_mapped
            }
        }
    }

    /// Makes calls fail from now on.
    static func fail(_ failure: Failure?) {
        guard let failure else { return disk_fail(nil) }
        var plan = disk_failure(
            first: failure.calls.lowerBound, last: failure.calls.upperBound,
            action: Int32(failure.kind.action.rawValue), error: failure.reason ?? 0)
        unsafe disk_fail(&plan)
    }

    /// The successful calls since the watch began, with their numbers.
    static var calls: [(number: Int, kind: Kind)] {
        (0..<disk_event_count()).compactMap { index in
            let event = unsafe disk_event_at(index)
            guard unsafe event.call >= 0, unsafe event.error == 0 else { return nil }
            return unsafe Kind(event.action).map { unsafe (Int(event.call), $0) }
        }
    }

    /// Everything since the watch began, in order.
    static var events: [DiskEvent] {
        (0..<disk_event_count()).map { unsafe DiskEvent(disk_event_at($0)) }
    }
}

extension DiskEvent {
    fileprivate init(_ event: disk_event) {
        let name = unsafe withUnsafeBytes(of: event.name) { unsafe DiskEvent.name(in: $0) }
        self.init(name == "." ? "" : name, unsafe Action(event))
    }

    fileprivate static func name(in bytes: UnsafeRawBufferPointer) -> String {
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension DiskEvent.Action {
    fileprivate init(_ event: disk_event) {
        if unsafe event.error != 0 {
            self = unsafe event.action == disk_synced ? .failedSync : .failed
            return
        }
        let target = unsafe withUnsafeBytes(of: event.target) { unsafe DiskEvent.name(in: $0) }
        switch unsafe event.action {
        case disk_opened: self = .open
        case disk_created: self = .create
        case disk_read: self = .read
        case disk_written:
            self = unsafe .write(
                at: Int(event.offset), Data(bytes: event.bytes, count: event.count))
        case disk_resized: self = unsafe .resize(Int(event.offset))
        case disk_synced: self = .sync
        case disk_directory_synced: self = .syncDirectory
        case disk_removed: self = .remove
        case disk_linked: self = .link(target)
        case disk_renamed: self = .rename(target)
        case disk_mapped: self = .map
        case disk_marked: self = unsafe .marker(Int(event.offset))
        default: preconditionFailure("the disk noted what it has no name for")
        }
    }
}
