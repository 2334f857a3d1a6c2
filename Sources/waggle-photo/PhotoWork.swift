import PhotoFormat

/// The work on one picture: read, check, decode, turn, scale, encode.
struct PhotoWork {
    private let request: PhotoRequest
    /// The qualities that are tried until a JPEG is short enough. The last always is.
    private static let qualities = [85, 75, 65, 50, 35, 20, 10]

    init(_ request: PhotoRequest) {
        self.request = request
    }

    /// Reads the picture from standard input, and returns the answer.
    func answer() -> PhotoAnswer {
        do throws(PhotoRefusal) {
            guard request.bytesCount <= PhotoLimits.inputBytesMax else { throw .tooLong }
            guard let bytes = StandardStreams.read(count: request.bytesCount) else {
                throw .damaged
            }
            return try answer(bytes)
        } catch {
            return .refused(error)
        }
    }

    private func answer(_ bytes: [UInt8]) throws(PhotoRefusal) -> PhotoAnswer {
        let header = try PhotoHeader(bytes)
        let box = request.task.sizeMax
        // Whether the picture has to be turned is known only afterwards.
        let picture = try Pixbuf(
            decoding: bytes, header, coveringSide: max(box.width, box.height)
        ).upright()
        let whole = try picture.onWhite(scaledTo: picture.size.fitted(into: box))
        if case .pixels = request.task {
            return .pixels(PhotoPixels(size: whole.size, rgb: whole.rgb))
        }
        let thumbnail = try picture.middleSquare().onWhite(scaledTo: PhotoLimits.thumbnailSize)
        return .photo(
            EncodedPhoto(
                size: whole.size, jpeg: try Self.jpeg(whole, bytesMax: request.task.bytesMax),
                thumbnail: try Self.jpeg(thumbnail, bytesMax: PhotoLimits.thumbnailBytesMax)))
    }

    private static func jpeg(_ picture: Pixbuf, bytesMax: Int) throws(PhotoRefusal) -> [UInt8] {
        for quality in qualities {
            let bytes = try picture.jpeg(quality: quality)
            if bytes.count <= bytesMax { return bytes }
        }
        throw .tooCostly
    }
}
