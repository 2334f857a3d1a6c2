public import Localization

/// The reasons a backup cannot be made or used.
public enum BackupFault: Error, Hashable, Sendable {
    /// The target path already has a file.
    case exists(String)
    /// The file does not exist or cannot be read.
    case notFound(String)
    /// The file is not a backup made by this program.
    case foreign(String)
    /// The file is damaged or incomplete.
    case damaged(String, String)
    /// The replica to be backed up is damaged.
    case replicaDamaged(String, String)
    /// A later version of the program wrote the file.
    case newer(String)
    /// The disk is full.
    case diskFull(String)
    /// The system refused the operation.
    case failed(String, String)

    /// Translates a fault of the store into a fault of the backup at a path.
    init(_ fault: ReplicaFault, _ path: String) {
        switch fault {
        case .corrupted(let source, let detail):
            self = .damaged(source, detail)
        case .diskFull: self = .diskFull(path)
        default: self = .failed(path, "\(fault)")
        }
    }
}

extension BackupFault: SentenceError {
    /// One sentence that says what is wrong and what to do.
    public var sentence: Sentence {
        switch self {
        case .exists(let path):
            "there is already a file at \(path), which is not replaced; choose another name"
        case .notFound(let path): "there is no readable backup at \(path)"
        case .foreign(let path): "\(path) was not made by 'waggle backup'"
        case .damaged(let path, let detail):
            "\(path) is damaged or incomplete (\(detail)); use another backup"
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
