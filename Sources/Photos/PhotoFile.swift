internal import Files
internal import Foundation
internal import PhotoFormat

/// A file that a person chose.
enum PhotoFile {
    /// Returns the content of a regular file of at most ``PhotoLimits/inputBytesMax`` bytes.
    /// - Throws: ``PhotoFault/unreadable(path:reason:)``, ``PhotoFault/notAFile(path:)``,
    ///   ``PhotoFault/refused(_:)``
    static func read(_ path: String) throws(PhotoFault) -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = try SafeFile.readRegular(path, bytesMax: PhotoLimits.inputBytesMax)
        } catch let error as POSIXError where error.code == .EINVAL {
            throw .notAFile(path: path)
        } catch {
            throw .unreadable(path: path, reason: reason(of: error))
        }
        guard bytes.count <= PhotoLimits.inputBytesMax else { throw .refused(.tooLong) }
        return bytes
    }

    private static func reason(of error: any Error) -> String {
        guard let error = error as? POSIXError else { return error.localizedDescription }
        return unsafe String(cString: strerror(error.code.rawValue))
    }
}
