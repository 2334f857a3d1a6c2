internal import GRDB
internal import Glibc
public import Localization
internal import Records

/// The reasons the store cannot do its work. Nothing was changed, unless the case says
/// otherwise.
public enum ReplicaFault: Error, Hashable, Sendable {
    /// The file is not a database, or is damaged. It was left as it is.
    case corrupted(path: String, detail: String)
    /// A later version of the program wrote the file.
    case newerVersion(path: String)
    /// The disk is full.
    case diskFull(path: String)
    /// Another process uses the file.
    case busy(path: String)
    /// The file or its directory cannot be opened or written.
    case notWritable(path: String, detail: String)
    /// The disk failed to read or write.
    case inputOutput(path: String, detail: String)
    /// The disk did not confirm a write. Whether the last change was kept shows when the replica is
    /// opened again; until then nothing more is written.
    case notSynced(path: String, detail: String)
    /// SQLite refused a statement of the program or of a plugin.
    case statement(String)
    /// A plugin's read is not a single SELECT, or it uses a table that is closed to it.
    case notPermitted(String)
    /// The declaration of a collection or view cannot work.
    case declaration(String)
}

extension ReplicaFault: SentenceError {
    /// One sentence that says what is wrong and what to do.
    public var sentence: Sentence {
        switch self {
        case .corrupted(let path, let detail):
            "\(path) is damaged (\(detail)); replace it with a backup, and keep it until "
                + "then: without it this device does not know which batches it has signed"
        case .newerVersion(let path):
            "\(path) was written by a newer version of waggle; install that version or a later one"
        case .diskFull(let path):
            "the disk that holds \(path) is full; make room and try again, nothing was changed"
        case .busy(let path): "another process is writing \(path); try again when it has ended"
        case .notWritable(let path, let detail):
            "\(path) cannot be opened for writing (\(detail)); check its owner and permissions"
        case .inputOutput(let path, let detail):
            "the disk failed at \(path) (\(detail)); try again, and look at the system's log"
        case .notSynced(let path, let detail):
            "the disk did not confirm a write to \(path) (\(detail)); nothing more is "
                + "written until Waggle is restarted; check the system's log first"
        case .statement(let detail): "SQLite refused a statement: \(detail)"
        case .notPermitted(let detail), .declaration(let detail): Sentence(verbatim: detail)
        }
    }
}

extension ReplicaFault {
    /// Whether the replica writes nothing more until it is opened again.
    public var needsRestart: Bool {
        if case .notSynced = self { true } else { false }
    }
}

extension ReplicaFault {
    /// Translates an error of SQLite.
    init(_ error: DatabaseError, path: String) {
        let detail = error.message ?? error.resultCode.description
        if error.extendedResultCode == .SQLITE_IOERR_FSYNC {
            self = .notSynced(path: path, detail: detail)
            return
        }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupted(path: path, detail: detail)
        case .SQLITE_FULL: self = .diskFull(path: path)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            self = .notWritable(path: path, detail: detail)
        case .SQLITE_IOERR: self = .inputOutput(path: path, detail: detail)
        default: self = .statement(detail)
        }
    }

    /// Translates an error of the system.
    /// - Parameter code: the `errno` of a call that failed.
    init(code: Int32, path: String) {
        let detail = unsafe String(cString: strerror(code))
        switch code {
        case ENOSPC, EDQUOT: self = .diskFull(path: path)
        case EIO: self = .inputOutput(path: path, detail: detail)
        default: self = .notWritable(path: path, detail: detail)
        }
    }

    /// Runs work on the database and translates its errors. A record that was checked when it was
    /// stored and does not decode now has been damaged since.
    static func translating<Result>(
        path: String, _ work: () throws -> Result
    ) throws -> Result {
        do {
            return try work()
        } catch let error as DatabaseError {
            throw ReplicaFault(error, path: path)
        } catch let fault as RecordFault where fault != .clockExhausted {
            throw ReplicaFault.corrupted(path: path, detail: String(describing: fault))
        }
    }
}
