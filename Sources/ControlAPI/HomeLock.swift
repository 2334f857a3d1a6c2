import Glibc
public import Contract

/// The right of one process to run a node on a home. It ends when the process ends, even if the
/// process is killed.
public final class HomeLock: Sendable {
    private let descriptor: Int32

    /// Acquires the lock and writes this process's id into its file.
    /// - Throws: ``CommandFault/conflict(_:)`` naming the process that holds it,
    ///   ``CommandFault/failed(_:)`` if the file cannot be used.
    public init(_ home: Home) throws(CommandFault) {
        let descriptor = unsafe open(home.lockFile, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = unsafe String(cString: strerror(errno))
            throw .failed("\(home.lockFile) cannot be opened: \(reason)")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = Self.text(of: descriptor)
            close(descriptor)
            let process: Sentence = holder.isEmpty ? "" : " (process \(holder))"
            throw .conflict(
                "Waggle is already running in \(home.directory)\(process): use it, or stop it "
                    + "first")
        }
        self.descriptor = descriptor
        Self.write("\(getpid())\n", to: descriptor)
    }

    deinit {
        close(descriptor)
    }

    private static func text(of descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).trimmingSpaces
    }

    /// Writes the id, which is for people; a lock without it works as well.
    private static func write(_ text: String, to descriptor: Int32) {
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = unsafe pwrite(descriptor, text, text.utf8.count, 0)
    }
}
