/// Why a backup could not be made or used.
public enum BackupFault: Error, Hashable, Sendable {
    /// A file stands where one was to be made.
    case exists(String)
    /// There is no such file, or it may not be read.
    case notFound(String)
    /// The file is no backup of this program.
    case foreign(String)
    /// The file is damaged or not whole.
    case damaged(String, String)
    /// The replica that was to be copied is damaged.
    case replicaDamaged(String, String)
    /// A later version of the program wrote it.
    case newer(String)
    /// The disk has no room.
    case diskFull(String)
    /// The system refused.
    case failed(String, String)

    /// What the store's fault means for a backup at a path.
    init(_ fault: ReplicaFault, _ path: String) {
        switch fault {
        case .corrupted(let source, let detail):
            self = .damaged(source, detail)
        case .diskFull: self = .diskFull(path)
        default: self = .failed(path, "\(fault)")
        }
    }
}

extension BackupFault: CustomStringConvertible {
    /// One sentence that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .exists(let path):
            "there is a file at \(path) already; it is not replaced: name another"
        case .notFound(let path): "there is no backup at \(path) that may be read"
        case .foreign(let path): "\(path) is no backup that 'waggle backup' made"
        case .damaged(let path, let detail):
            "\(path) is damaged or not whole (\(detail)); use another backup"
        case .replicaDamaged(let path, let detail):
            "\(path) is damaged (\(detail)); use 'waggle repair' and then back it up"
        case .newer(let path):
            "\(path) was made by a newer version of waggle; install that version or a later one"
        case .diskFull(let path):
            "the disk for \(path) is full; make room and try again, nothing was changed"
        case .failed(let path, let detail): "\(path): \(detail)"
        }
    }
}
