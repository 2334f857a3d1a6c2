internal import Foundation
public import PhotoFormat

/// Reads pictures in worker processes: the calling process never decodes a byte of them.
///
/// ```swift
/// let photos = PhotoDecoder(try WorkerProgram.find())
/// let photo = try await photos.encode(.file(path: path), for: .profile)
/// let shown = try await photos.pixels(of: .bytes(photo.jpeg), sideMax: 392)
/// ```
///
/// A picture may come from anyone. It costs one process, which has no rights and is ended when it
/// is over its limits (``PhotoLimits``). At most `workersMax` run at once, the next ones wait in
/// their order. If the calling task is cancelled, the worker is ended.
public final class PhotoDecoder: Sendable {
    private let program: WorkerProgram
    private let timeMax: Duration
    private let slots: WorkerSlots

    /// Creates a decoder.
    /// - Parameters:
    ///   - workersMax: the number of processes at once, at least 1.
    ///   - timeMax: the time after which a worker is ended.
    public init(
        _ program: WorkerProgram, workersMax: Int = 2,
        timeMax: Duration = PhotoLimits.workerTimeMax
    ) {
        self.program = program
        self.timeMax = timeMax
        slots = WorkerSlots(count: workersMax)
    }

    /// Decodes a picture and encodes it as JPEG: right way up, without metadata, on white where it
    /// is transparent, in the size of its use, with a thumbnail.
    /// - Throws: ``PhotoFault``
    public func encode(
        _ source: PhotoSource, for use: PhotoUse
    ) async throws(PhotoFault) -> EncodedPhoto {
        guard case .photo(let photo) = try await answer(to: use.task, source) else {
            throw .refused(.tooCostly)
        }
        return photo
    }

    /// Decodes a picture to show it, right way up.
    /// - Parameter sideMax: the most pixels of either side, 1 to ``PhotoLimits/shownSideMax``.
    /// - Throws: ``PhotoFault``
    public func pixels(
        of source: PhotoSource, sideMax: Int
    ) async throws(PhotoFault) -> PhotoPixels {
        guard case .pixels(let pixels) = try await answer(to: .pixels(sideMax: sideMax), source)
        else { throw .refused(.tooCostly) }
        return pixels
    }

    private func answer(
        to task: PhotoTask, _ source: PhotoSource
    ) async throws(PhotoFault) -> PhotoAnswer {
        try await slots.acquire()
        defer { slots.release() }
        let worker = WorkerProcess(program, timeMax: timeMax)
        let result: Result<PhotoAnswer, PhotoFault> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A thread of its own waits for the worker: Dispatch has as few threads as there
                // are processors, and the tasks of the whole process run on them.
                Thread.detachNewThread {
                    continuation.resume(returning: Self.run(worker, on: source, for: task))
                }
            }
        } onCancel: {
            worker.end()
        }
        if Task.isCancelled { throw .cancelled }
        let answer = try result.get()
        if case .refused(let refusal) = answer { throw .refused(refusal) }
        return answer
    }

    /// Reads the picture and runs a worker on it, on the calling thread.
    private static func run(
        _ worker: WorkerProcess, on source: PhotoSource, for task: PhotoTask
    ) -> Result<PhotoAnswer, PhotoFault> {
        Result { () throws(PhotoFault) -> PhotoAnswer in
            let bytes: [UInt8]
            switch source {
            case .file(let path): bytes = try PhotoFile.read(path)
            case .bytes(let given): bytes = given
            }
            guard bytes.count <= PhotoLimits.inputBytesMax else { throw .refused(.tooLong) }
            return try worker.run(bytes, for: task)
        }
    }
}
