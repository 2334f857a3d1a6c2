import Foundation

/// The window's own files: installed, or in the source tree that it was built in.
struct Installation: Sendable {
    /// The folder of this window's executable.
    let programFolder: String
    /// The folders that are searched for programs, this window's own folder first.
    let searchPath: [String]

    init(programPath: String, environment: [String: String]) {
        programFolder = (programPath as NSString).deletingLastPathComponent
        let path = environment["PATH"]?.split(separator: ":").map(String.init) ?? []
        searchPath = [programFolder] + path.filter { $0.hasPrefix("/") }
    }

    /// The folder with the style sheet and the icons, or nil if there is none: the window then
    /// works without a style.
    var resources: String? {
        var folder = programFolder
        while folder.count > 1 {
            for name in ["share/waggle", "ui/data"] {
                let candidate = "\(folder)/\(name)"
                if FileManager.default.fileExists(atPath: candidate + "/style.css") {
                    return candidate
                }
            }
            folder = (folder as NSString).deletingLastPathComponent
        }
        return nil
    }
}
