internal import Glibc

/// The files of the translations: installed, or in the source tree that the program was built in.
///
/// | | in the source tree | installed, in `share/waggle` |
/// |---|---|---|
/// | of the program | `Sources/Localization/Resources/ko/*.po` | `translations/ko/*.po` |
/// | of a plugin | `plugins/Chat/Localization/ko.po` | `plugins/Chat/Localization/ko.po` |
struct TranslationFiles {
    /// The files of each language's folder.
    static let names = ["window.po", "node.po", "contract.po"]

    /// The folder with a folder for each language.
    let shared: String
    /// The folder with a folder for each plugin, which need not exist.
    let plugins: String

    /// Finds the files beside a program or above it; nil if there are none.
    init?(besideProgram program: String) {
        var path = program[...]
        while let slash = path.lastIndex(of: "/") {
            path = path[..<slash]
            for (shared, plugins) in [
                ("share/waggle/translations", "share/waggle/plugins"),
                ("Sources/Localization/Resources", "plugins"),
            ] where unsafe access("\(path)/\(shared)", R_OK) == 0 {
                self.shared = "\(path)/\(shared)"
                self.plugins = "\(path)/\(plugins)"
                return
            }
        }
        return nil
    }

    /// The files of this program; nil if there are none.
    static var ofThisProgram: TranslationFiles? {
        guard let program = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(program) }
        return TranslationFiles(besideProgram: unsafe String(cString: program))
    }

    /// The paths of one language: the program's own files, then those of plugins by name.
    func paths(of language: Language) -> [String] {
        let own = Self.names.map { "\(shared)/\(language.rawValue)/\($0)" }
        return own
            + Self.folders(in: plugins)
            .map { "\(plugins)/\($0)/Localization/\(language.rawValue).po" }
            .filter { unsafe access($0, F_OK) == 0 }
    }

    /// The names in a folder, sorted; none if it cannot be read.
    private static func folders(in path: String) -> [String] {
        guard let directory = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
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
