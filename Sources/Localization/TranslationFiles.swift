internal import Glibc

/// The files of the translations: installed, or in the source tree that the program was built in.
enum TranslationFiles {
    /// The files of each language's folder.
    static let names = ["window.po", "node.po", "contract.po"]

    /// The folder with a folder for each language; nil if there is none.
    static var folder: String? {
        guard let program = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(program) }
        var path = unsafe String(cString: program)[...]
        while let slash = path.lastIndex(of: "/") {
            path = path[..<slash]
            for name in ["share/waggle/translations", "Sources/Localization/Resources"] {
                let candidate = "\(path)/\(name)"
                if unsafe access(candidate, R_OK) == 0 { return candidate }
            }
        }
        return nil
    }

    /// Reads a file of at most the bytes given.
    static func read(_ path: String, bytesMax: Int) throws(CatalogueFault) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path: path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(path: path) }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= bytesMax else { throw .tooLong(limitBytes: bytesMax) }
            bytes += chunk[..<count]
        }
    }
}
