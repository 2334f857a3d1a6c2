internal import Foundation

/// All bytes of a database's files as they are on the disk, for tests that check
/// that certain bytes are in none of them.
public struct DatabaseBytes {
    private let files: [Data]

    /// Reads the database at a path, its write-ahead log and that log's index, if they exist.
    public init(of path: String) throws {
        files = try ["", "-wal", "-shm"].map { path + $0 }
            .filter { FileManager.default.fileExists(atPath: $0) }
            .map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    }

    /// Whether a text occurs anywhere.
    public func holds(_ text: String) -> Bool { holds(Array(text.utf8)) }

    /// Whether bytes occur anywhere.
    public func holds(_ bytes: [UInt8]) -> Bool {
        files.contains { $0.range(of: Data(bytes)) != nil }
    }

    /// All texts of up to 30 bytes between `<` and `>`: one pass finds thousands.
    public var marks: Set<String> {
        var found: Set<String> = []
        for file in files {
            unsafe file.withUnsafeBytes { bytes in
                var opened: Int?
                for place in 0..<bytes.count {
                    switch unsafe bytes[place] {
                    case UInt8(ascii: "<"): opened = place + 1
                    case UInt8(ascii: ">"):
                        if let start = opened, place - start <= 30 {
                            unsafe found.insert(
                                String(decoding: bytes[start..<place], as: UTF8.self))
                        }
                        opened = nil
                    default: break
                    }
                }
            }
        }
        return found
    }
}
