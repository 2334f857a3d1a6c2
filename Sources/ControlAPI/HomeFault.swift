public import Contract

/// The reason why a node's directories cannot be used.
public enum HomeFault: Error, Hashable, Sendable {
    /// Neither `XDG_DATA_HOME` nor `HOME` is set.
    case noDataDirectory
    /// `XDG_RUNTIME_DIR` is not set.
    case noRuntimeDirectory
    /// The socket's path is longer than a Unix socket's may be.
    case socketPathTooLong(path: String, bytes: Int, limit: Int)
    case notADirectory(String)
    case notWritable(String)
    /// Other users may read a directory that is in use for something.
    case openToOthers(String)
    /// The system refused; `reason` is the system's message.
    case unusable(path: String, reason: String)

    /// The fault and its remedy, as a sentence.
    public var sentence: Sentence {
        switch self {
        case .noDataDirectory:
            "there is no place for your data: set HOME or XDG_DATA_HOME, or use --home DIR"
        case .noRuntimeDirectory:
            "there is no runtime directory: set XDG_RUNTIME_DIR (as in /run/user/1000), "
                + "or use --home DIR"
        case .socketPathTooLong(let path, let bytes, let limit):
            "the socket's path has \(bytes) bytes and the system allows \(limit): "
                + "use a directory with a shorter name than \(path)"
        case .notADirectory(let path):
            "\(path) is not a directory: move it away or use another --home"
        case .notWritable(let path):
            "you cannot write to \(path): change its owner or use another --home"
        case .openToOthers(let path):
            "other users may look into \(path), which is not empty: run 'chmod 700 \(path)', "
                + "or use another --home"
        case .unusable(let path, let reason):
            "\(path) cannot be used: \(reason)"
        }
    }

    /// The same as a command's fault.
    public var commandFault: CommandFault { .failed(sentence) }
}
