internal import Glibc

/// A file with a temporary name, readable by its owner only, that gets its real name when it is
/// complete.
struct PrivateDraft {
    let path: String

    /// Makes an empty file beside its target.
    init(beside target: String) throws(BackupFault) {
        var template = Array("\(target).XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else { throw PrivateDraft.fault(target) }
        close(descriptor)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Syncs the file and gives it its name, unless the name is taken.
    func publish(as target: String) throws(BackupFault) {
        try PrivateDraft.sync(path)
        // Unlike a rename, a hard link cannot replace a file that appears in between.
        guard unsafe link(path, target) == 0 else { throw PrivateDraft.fault(target) }
        discard()
        try PrivateDraft.sync(PrivateDraft.directory(of: target))
    }

    /// Removes the draft and any files that SQLite left beside it.
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
