internal import Glibc

/// A file under a name of its own, for its owner alone, that gets its real name when it is whole.
struct PrivateDraft {
    let path: String

    /// Makes the empty file beside the place it is for.
    init(beside target: String) throws(BackupFault) {
        var template = Array("\(target).XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else { throw PrivateDraft.fault(target) }
        close(descriptor)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Brings the file to the disk and gives it its name, unless that is taken.
    func publish(as target: String) throws(BackupFault) {
        try PrivateDraft.sync(path)
        // A hard link is the one way that cannot replace a file which appears in between.
        guard unsafe link(path, target) == 0 else { throw PrivateDraft.fault(target) }
        discard()
        try PrivateDraft.sync(PrivateDraft.directory(of: target))
    }

    /// Removes the draft, and what SQLite may have left beside it.
    func discard() {
        for name in [path, path + "-journal", path + "-wal", path + "-shm"] { unsafe unlink(name) }
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func sync(_ path: String) throws(BackupFault) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw fault(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw fault(path) }
    }

    private static func fault(_ path: String) -> BackupFault {
        switch errno {
        case EEXIST: .exists(path)
        case ENOSPC, EDQUOT: .diskFull(path)
        default: .failed(path, unsafe String(cString: strerror(errno)))
        }
    }
}
