import Foundation
import Glibc
import PluginKit

/// The file of a Unix socket, before and after a process listens on it.
enum SocketFile {
    /// Makes room for a new listener: removes the file if no process answers on it any more.
    /// - Throws: ``CommandFault/conflict(_:)`` if a process does, ``CommandFault/failed(_:)`` if
    ///   the file is not a socket or cannot be removed.
    static func makeRoom(_ path: String) throws(CommandFault) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            return
        }
        guard attributes[.type] as? FileAttributeType == .typeSocket else {
            throw .failed("\(path) is not a socket: move it away")
        }
        guard !isAnswered(path) else {
            throw .conflict("Waggle already answers on \(path): use it, or stop it first")
        }
        guard unsafe unlink(path) == 0 else {
            throw .failed("\(path) is left from an earlier run of Waggle and cannot be removed")
        }
    }

    /// Lets only the owner connect.
    static func makePrivate(_ path: String) throws(CommandFault) {
        guard unsafe chmod(path, 0o600) == 0 else {
            throw .failed("\(path) cannot be closed to other users")
        }
    }

    private static func isAnswered(_ path: String) -> Bool {
        guard var address = address(path) else { return false }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, length) == 0
            }
        }
    }

    /// Returns the address of a path, or nil if the path is too long for one.
    private static func address(_ path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        return unsafe withUnsafeMutableBytes(of: &address.sun_path) { field in
            guard bytes.count < field.count else { return false }
            unsafe field.copyBytes(from: bytes)
            return true
        } ? address : nil
    }
}
