internal import Foundation
public import PluginKit

/// Makes up photos instead of reading pictures: the same picture always becomes the same photo, of
/// any bytes but none at all. Nothing is decoded, so no worker has to be built.
public struct DrawnPhotos: PhotoAccess {
    /// Over one piece of content, so that a fetch takes several.
    private static let bytesCount = 70_000

    /// Creates the source.
    public init() {}

    /// Makes a photo up.
    /// - Throws: ``CommandFault/refused(_:)`` without bytes or without a file.
    public func encode(
        _ source: PhotoSource, for use: PhotoUse
    ) async throws -> EncodedPhoto {
        let bytes: [UInt8]
        switch source {
        case .bytes(let given): bytes = given
        case .file(let path):
            guard let read = FileManager.default.contents(atPath: path) else {
                throw CommandFault.refused("\(path) cannot be read.")
            }
            bytes = Array(read)
        }
        guard !bytes.isEmpty else { throw CommandFault.refused("The picture is damaged.") }
        return Self.photo(from: bytes)
    }

    /// Returns the photo that a picture of these bytes becomes.
    public static func photo(from bytes: [UInt8]) -> EncodedPhoto {
        let size = PhotoSize(width: 320, height: 240)
        return EncodedPhoto(
            size: size, jpeg: jpeg(of: size, from: bytes, bytesCount: bytesCount),
            thumbnail: jpeg(of: PhotoLimits.thumbnailSize, from: bytes, bytesCount: 1000))
    }

    /// Returns bytes with the structure of a bare JPEG of a size. No decoder accepts them.
    public static func jpeg(
        of size: PhotoSize, from bytes: [UInt8], bytesCount: Int
    ) -> [UInt8] {
        let sides = [size.height, size.width].flatMap { [UInt8($0 >> 8 & 0xFF), UInt8($0 & 0xFF)] }
        let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8] + sides + [1, 1, 0x11, 0]
        let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
        var generator = SeededGenerator(seed: seed(of: bytes))
        // Coded data without escapes.
        let coded = generator.bytes(max(bytesCount, 0)).map { $0 & 0x7F }
        return [0xFF, 0xD8] + frame + scan + coded + [0xFF, 0xD9]
    }

    private static func seed(of bytes: [UInt8]) -> UInt64 {
        bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}
