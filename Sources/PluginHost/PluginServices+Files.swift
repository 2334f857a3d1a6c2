internal import PluginKit

extension PluginServices: FileAccess {
    func read(_ path: FilePath, bytesMax: Int) async throws -> [UInt8] {
        try require(.files)
        return try await PersonFile.read(path, bytesMax: bytesMax)
    }

    func save(_ bytes: [UInt8], to path: FilePath) async throws -> SavedFile {
        try require(.files)
        return try await PersonFile.save(bytes, to: path)
    }
}
