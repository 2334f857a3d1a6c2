import Foundation
import Glibc

/// A directory that only its owner can read.
enum PrivateDirectory {
    /// Creates the directory and its parents if they are missing; checks it if it exists.
    ///
    /// An existing directory that others may read is closed to them if it is empty. One that
    /// contains files is left as it is, and refused: it may be in use for something else.
    static func prepare(_ path: String) throws(HomeFault) {
        try makeWithParents(path)
        let mode = try mode(ofDirectory: path)
        guard unsafe access(path, W_OK | X_OK) == 0 else { throw .notWritable(path) }
        guard mode & 0o077 != 0 else { return }
        guard isEmpty(path), unsafe chmod(path, 0o700) == 0 else { throw .openToOthers(path) }
    }

    private static func mode(ofDirectory path: String) throws(HomeFault) -> Int {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target),
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue
        else { throw fault(path) }
        guard attributes[.type] as? FileAttributeType == .typeDirectory else {
            throw .notADirectory(path)
        }
        return mode
    }

    private static func makeWithParents(_ path: String) throws(HomeFault) {
        if try makeOne(path) { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw fault(path)
        }
        try makeWithParents(String(path[..<slash]))
        guard try makeOne(path) else { throw fault(path) }
    }

    /// Makes one directory whose parent exists; it survives a power cut after this returns.
    /// - Returns: whether it is there now; the reason is in `errno` if not.
    private static func makeOne(_ path: String) throws(HomeFault) -> Bool {
        guard unsafe mkdir(path, 0o700) == 0 else { return errno == EEXIST }
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let descriptor = unsafe open(String(path[...slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A parent that may be entered but not read cannot be synced.
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw fault(path) }
        return true
    }

    private static func isEmpty(_ path: String) -> Bool {
        guard let directory = unsafe opendir(path) else { return false }
        defer { unsafe closedir(directory) }
        var count = 0
        // The entries "." and ".." always exist.
        while count <= 2, unsafe readdir(directory) != nil { count += 1 }
        return count <= 2
    }

    /// Returns the fault that the system's last error means for this path.
    private static func fault(_ path: String) -> HomeFault {
        switch errno {
        case EACCES, EPERM, EROFS: .notWritable(path)
        case ENOTDIR: .notADirectory(path)
        default: .unusable(path: path, reason: unsafe String(cString: strerror(errno)))
        }
    }
}
