internal import Photos
internal import PluginKit

/// Reads pictures in worker processes: this process decodes none of them.
struct WorkerPhotos: PhotoAccess {
    private let decoder: Result<PhotoDecoder, PhotoFault>

    /// Finds the worker beside the running program. If it is not there, each picture is refused
    /// with a sentence that says so.
    init() {
        decoder = Result { () throws(PhotoFault) in PhotoDecoder(try WorkerProgram.find()) }
    }

    func encode(_ source: PhotoSource, for use: PhotoUse) async throws -> EncodedPhoto {
        do throws(PhotoFault) {
            return try await decoder.get().encode(source, for: use)
        } catch {
            throw error.commandFault
        }
    }
}

extension PhotoFault {
    /// The same fault for the person or program that named the picture.
    fileprivate var commandFault: CommandFault {
        switch self {
        case .refused(.unfenced), .busy, .notInstalled, .notStarted, .broken, .cancelled:
            .failed(sentence)
        case .refused, .unreadable, .notAFile: .refused(sentence)
        }
    }
}
