public import GtkKit

/// The photos that the window shows. Each is decoded in a worker process, away from the main loop,
/// and small pictures are kept.
///
/// ```swift
/// let key = WindowPhotos.Key("message \(id)", sideMax: 100)
/// if let picture = context.photos.kept(key) { return show(picture) }
/// show(try await context.photos.picture(key, of: .bytes(thumbnail)))
/// ```
@MainActor
public final class WindowPhotos {
    /// A photo in the size in which it is shown.
    public struct Key: Hashable, Sendable {
        /// Names the photo, such as by the hash of its content or the id of its record.
        public let name: String
        /// The most pixels of either side.
        public let sideMax: Int

        /// Names a photo.
        public init(_ name: String, sideMax: Int) {
            self.name = name
            self.sideMax = sideMax
        }
    }

    /// Reads a picture in the size in which it is shown.
    public typealias Decode =
        @Sendable (_ source: PhotoSource, _ sideMax: Int) async -> Result<PhotoPixels, PhotoFault>

    /// The memory of the pictures that are kept, in bytes: some 700 thumbnails.
    static let keptBytesMax = 32 * 1024 * 1024
    /// The memory of the largest picture that is kept, in bytes.
    static let keptPictureBytesMax = 1024 * 1024

    private let decode: Decode
    /// Pictures, and the faults of those that are refused, which would be refused again.
    private var cache = RecentCache<Key, Result<Picture, PhotoFault>>(
        bytesMax: WindowPhotos.keptBytesMax)
    private var loading: [Key: Task<Result<Picture, PhotoFault>, Never>] = [:]

    /// Creates the photos of a window, decoded by the worker beside the running program.
    public convenience init() {
        let decoder = Result { () throws(PhotoFault) in PhotoDecoder(try WorkerProgram.find()) }
        self.init { source, sideMax in
            do throws(PhotoFault) {
                return .success(try await decoder.get().pixels(of: source, sideMax: sideMax))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Creates the photos of a window, decoded by this function.
    public init(decode: @escaping Decode) { self.decode = decode }

    /// Returns a picture that is kept, or nil.
    public func kept(_ key: Key) -> Picture? {
        if case .success(let picture)? = cache.value(of: key) { picture } else { nil }
    }

    /// Returns the picture of a photo. If several ask for one, it is decoded once.
    /// - Throws: ``PhotoFault``; ``PhotoFault/sentence(aboutPhotoOf:)`` says it to the person who
    ///   sees no photo.
    public func picture(
        _ key: Key, of source: PhotoSource
    ) async throws(PhotoFault) -> Picture {
        if let known = cache.value(of: key) { return try known.get() }
        if let running = loading[key] { return try await running.value.get() }
        let task = Task { [decode] in await Self.picture(key, source, decode) }
        loading[key] = task
        let result = await task.value
        loading[key] = nil
        keep(result, of: key)
        return try result.get()
    }

    private func keep(_ result: Result<Picture, PhotoFault>, of key: Key) {
        switch result {
        case .success(let picture):
            guard picture.bytesCount <= Self.keptPictureBytesMax else { return }
            cache.insert(result, bytes: picture.bytesCount, of: key)
        case .failure(.refused): cache.insert(result, bytes: 0, of: key)
        case .failure: break
        }
    }

    /// Decodes a picture and copies its pixels, both away from the main actor.
    @concurrent
    private nonisolated static func picture(
        _ key: Key, _ source: PhotoSource, _ decode: Decode
    ) async -> Result<Picture, PhotoFault> {
        await decode(source, key.sideMax).flatMap { pixels in
            Picture(rgb: pixels.rgb, width: pixels.size.width, height: pixels.size.height)
                .map { .success($0) } ?? .failure(.refused(.damaged))
        }
    }
}
