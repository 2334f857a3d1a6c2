import Foundation

/// Where the window's own files are: installed, or in the source tree it was built in.
struct Installation: Sendable {
    /// The folder of this window's executable.
    let programFolder: String
    /// Where programs are looked for, this window's own folder first.
    let searchPath: [String]

    init(programPath: String, environment: [String: String]) {
        programFolder = (programPath as NSString).deletingLastPathComponent
        let path = environment["PATH"]?.split(separator: ":").map(String.init) ?? []
        searchPath = [programFolder] + path.filter { $0.hasPrefix("/") }
    }

    /// The folder with the style sheet and the icons, or nil where there is none: the window then
    /// looks plain and works.
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
