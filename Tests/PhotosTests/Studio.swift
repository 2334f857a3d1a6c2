import Foundation
import Photos
import TestSupport

/// The parts that tests of whole decodings share: the built worker, and looks at its pictures.
enum Studio {
    /// The time in which a worker reads the largest pictures if it gets little of a processor.
    static let largestTimeMax = Duration.seconds(120)

    /// A decoder with the built worker.
    static func decoder(
        workersMax: Int = 2, timeMax: Duration = PhotoLimits.workerTimeMax
    ) throws -> PhotoDecoder {
        PhotoDecoder(try WorkerProgram.find(), workersMax: workersMax, timeMax: timeMax)
    }

    /// A decoder whose worker is a script of the shell.
    static func decoder(
        script: String, workersMax: Int = 1, timeMax: Duration = .seconds(20)
    ) throws -> PhotoDecoder {
        let path = try TestDirectory.newPath(WorkerProgram.name)
        // Another process writes it: a worker that starts meanwhile would inherit the open file,
        // and a program that is open for writing cannot be started.
        let writer = Process()
        writer.executableURL = URL(fileURLWithPath: "/bin/sh")
        writer.arguments = [
            "-c", #"printf '#!/bin/sh\n%s\n' "$1" >"$2" && chmod 755 "$2""#, "sh", script, path,
        ]
        try writer.run()
        writer.waitUntilExit()
        return PhotoDecoder(
            WorkerProgram(path: path), workersMax: workersMax, timeMax: timeMax)
    }

    /// Decodes a picture, and returns the colour at the middle of each of some parts of it.
    static func colours(
        of bytes: [UInt8], columns: Int, rows: Int
    ) async throws -> [[[UInt8]]] {
        let pixels = try await decoder().pixels(of: .bytes(bytes), sideMax: 1600)
        return (0..<rows).map { row in
            (0..<columns).map { column in
                let x = pixels.size.width * (2 * column + 1) / (2 * columns)
                let y = pixels.size.height * (2 * row + 1) / (2 * rows)
                let index = (y * pixels.size.width + x) * 3
                return Array(pixels.rgb[index..<(index + 3)])
            }
        }
    }
}

/// Whether two colours differ by no more than a JPEG may change one.
func isNear(_ colour: [UInt8], _ wanted: [UInt8], by difference: Int = 6) -> Bool {
    colour.count == wanted.count
        && zip(colour, wanted).allSatisfy { abs(Int($0) - Int($1)) <= difference }
}
