import Foundation
import PhotoFormat

@testable import Photos

// Pictures, which may come from anyone, and the answers of the worker that decodes them.
extension FuzzTarget {
    /// The header of a picture is within the limits, and says the same without what follows it.
    static let picture = FuzzTarget("picture") { bytes in
        let header = try PhotoHeader(bytes)
        try require(
            (1...PhotoLimits.pixelsMax).contains(header.size.pixelsCount), "a size is not allowed")
        try require(header.bytesCount <= bytes.count, "a picture is longer than its file")
        let picture = Array(bytes.prefix(header.bytesCount))
        try require(try PhotoHeader(picture) == header, "what follows a picture changes it")
        try require(
            (try? PhotoHeader(Array(picture.dropLast()))) == nil, "a shortened picture is whole")
    }

    /// The first byte chooses the task, the rest is the answer.
    static let answer = FuzzTarget("answer") { bytes in
        guard let first = bytes.first else { return }
        let tasks: [PhotoTask] = [.profile, .chat, .pixels(sideMax: 4)]
        let answer = try PhotoAnswer(Array(bytes.dropFirst()), to: tasks[Int(first) % tasks.count])
        try require(answer.encoded == Array(bytes.dropFirst()), "an answer changes")
    }

    /// The built worker answers each picture, and refuses what its header already refuses. A fault
    /// of gdk-pixbuf ends the worker; that breaks no rule, for it is what the worker is for.
    static let worker = FuzzTarget(
        "worker",
        costing: CostLimit(allocatedBytesPerByteMax: 4096, allocatedBytesBesidesMax: 1 << 24)
    ) { bytes in
        guard let path = ProcessInfo.processInfo.environment["WAGGLE_PHOTO"] else {
            throw BrokenRule(rule: "WAGGLE_PHOTO does not name the worker")
        }
        let process = WorkerProcess(
            WorkerProgram(path: path), timeMax: PhotoLimits.workerTimeMax)
        let answer: PhotoAnswer
        do {
            answer = try process.run(bytes, for: .profile)
        } catch PhotoFault.refused(.tooCostly) {
            return
        } catch {
            throw BrokenRule(rule: "the worker did not answer: \(error)")
        }
        var refusal: PhotoRefusal?
        do throws(PhotoRefusal) { _ = try PhotoHeader(bytes) } catch { refusal = error }
        guard let refusal else { return }
        try require(answer == .refused(refusal), "the worker reads what its header refuses")
    }
}
