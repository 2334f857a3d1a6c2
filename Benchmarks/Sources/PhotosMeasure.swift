import Glibc
import Photos
import PluginKit

/// Ten photos that are chosen at once, and one alone: the longest time for which the main actor's
/// loop did not come to its next step, the time of a photo, and the memory of its worker.
struct PhotosMeasure {
    let path: String

    /// The number of photos that are chosen at once.
    private static let count = 10
    /// The pause between two steps of the loop.
    private static let pause = Duration.milliseconds(1)

    @MainActor
    func run() async throws -> JSONValue {
        let photos = PhotoDecoder(try WorkerProgram.find())
        var began = ContinuousClock.now
        let one = try await photos.encode(.file(path: path), for: .chat)
        let secondsOfOne = (ContinuousClock.now - began) / .seconds(1)
        began = ContinuousClock.now
        let chosen = Task { @concurrent [path] in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<Self.count {
                    group.addTask { _ = try await photos.encode(.file(path: path), for: .chat) }
                }
                try await group.waitForAll()
            }
            return ContinuousClock.now
        }
        let loop = Task { await Self.steps() }
        let ended = try await chosen.value
        loop.cancel()
        let (stall, stepsCount) = await loop.value
        var used = rusage()
        guard unsafe getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &used) == 0 else {
            throw BenchFault.usage("photos FILE")
        }
        return [
            "stallSeconds": .number(stall / .seconds(1)), "steps": .number(Double(stepsCount)),
            "secondsOfTen": .number((ended - began) / .seconds(1)),
            "secondsOfOne": .number(secondsOfOne),
            "workerMebibytes": .number(Double(used.ru_maxrss) / 1024),
            "photoBytes": .number(Double(one.jpeg.count)),
        ]
    }

    /// Steps until it is cancelled. Returns the longest delay of a step, and their number.
    @MainActor
    private static func steps() async -> (stall: Duration, count: Int) {
        var (stall, count) = (Duration.zero, 0)
        while !Task.isCancelled {
            let began = ContinuousClock.now
            try? await Task.sleep(for: pause)
            stall = max(stall, ContinuousClock.now - began - pause)
            count += 1
        }
        return (stall, count)
    }
}
