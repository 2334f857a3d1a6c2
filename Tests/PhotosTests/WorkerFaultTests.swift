import Foundation
import Glibc
import Localization
import PhotoFormat
import Testing

@testable import Photos

/// Workers that fail, and the fence around the real one.
struct WorkerFaultTests {
    private let picture = PhotoSource.bytes(MadeJPEG(columns: 1, rows: 1).bytes)

    private func fault(_ photos: PhotoDecoder, _ source: PhotoSource? = nil) async -> PhotoFault? {
        do throws(PhotoFault) {
            _ = try await photos.encode(source ?? picture, for: .profile)
            return nil
        } catch {
            return error
        }
    }

    private func acquired(_ slots: WorkerSlots) async -> PhotoFault? {
        do throws(PhotoFault) {
            try await slots.acquire()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a worker that ends without an answer costs its picture only`() async throws {
        #expect(await fault(try Studio.decoder(script: "kill -9 $$")) == .refused(.tooCostly))
        #expect(await fault(try Studio.decoder(script: "exit 0")) == .refused(.tooCostly))
        // A long picture that nobody reads.
        let long = PhotoSource.bytes([UInt8](repeating: 1, count: PhotoLimits.inputBytesMax))
        #expect(await fault(try Studio.decoder(script: "exit 0"), long) == .refused(.tooCostly))
    }

    @Test func `only faults of the picture are about it`() {
        let ofPicture: [PhotoFault] =
            [PhotoRefusal.tooLong, .unknownFormat, .tooManyPixels, .damaged, .tooCostly]
            .map(PhotoFault.refused)
            + [.unreadable(path: "/a", reason: "no"), .notAFile(path: "/a")]
        let ofDevice: [PhotoFault] = [
            .refused(.unfenced), .busy, .notInstalled(lookedIn: []),
            .notStarted(program: "a", reason: "no"), .broken(program: "a", exitCode: 1), .cancelled,
        ]
        for fault in ofPicture { #expect(fault.isAboutPicture, "\(fault)") }
        for fault in ofDevice { #expect(!fault.isAboutPicture, "\(fault)") }
    }

    @Test func `a worker inherits no descriptor, so no port stays in use through it`() async throws
    {
        // As sockets of NIO are: not closed when a program is started.
        let inherited = fcntl(STDERR_FILENO, F_DUPFD, 700)
        try #require(inherited >= 700)
        defer { close(inherited) }
        let script = "[ -e /proc/$$/fd/\(inherited) ] && exit 7; exit 0"
        #expect(await fault(try Studio.decoder(script: script)) == .refused(.tooCostly))
    }

    @Test func `a worker that hangs is ended`() async throws {
        let photos = try Studio.decoder(script: "exec sleep 60", timeMax: .milliseconds(300))
        let began = ContinuousClock.now
        #expect(await fault(photos) == .refused(.tooCostly))
        #expect(ContinuousClock.now - began < .seconds(10))
    }

    @Test func `a worker that closes its output and stays is ended`() async throws {
        let photos = try Studio.decoder(
            script: "exec <&- >&-; exec sleep 60", timeMax: .milliseconds(300))
        let began = ContinuousClock.now
        #expect(await fault(photos) == .refused(.tooCostly))
        #expect(ContinuousClock.now - began < .seconds(10))
    }

    @Test func `a worker that writes nonsense, or without end, is ended`() async throws {
        for script in [
            "echo hello", "printf 'WGP1\\000\\377\\377\\377\\377\\377\\377\\377\\377'",
            "cat >/dev/null; exec head -c 100000 /dev/urandom", "exec cat /dev/zero", "exec cat",
            "printf 'WGP1\\011'",
        ] {
            let photos = try Studio.decoder(script: script)
            let found = await fault(photos)
            #expect(found == .refused(.tooCostly), "\(script)")
        }
    }

    @Test func `a worker that cannot run is reported, with what to do`() async throws {
        let broken = try Studio.decoder(script: "exit 127")
        guard case .broken(_, exitCode: 127) = await fault(broken) else {
            Issue.record("it is not reported")
            return
        }
        let missing = PhotoDecoder(WorkerProgram(path: "/nowhere/waggle-photo"))
        let found = await fault(missing)
        #expect(
            found
                == .notStarted(
                    program: "/nowhere/waggle-photo", reason: "No such file or directory"))
        #expect(found?.description.contains("Install Waggle again") == true)
        #expect(throws: PhotoFault.notInstalled(lookedIn: ["/nowhere"])) {
            try WorkerProgram.find(in: ["/nowhere"])
        }
    }

    @Test func `a cancelled task ends its worker, and the next one gets its place`() async throws {
        let photos = try Studio.decoder(script: "exec sleep 60")
        let tasks = (0..<3).map { _ in
            Task { await fault(photos) }
        }
        try await Task.sleep(for: .milliseconds(200))
        let began = ContinuousClock.now
        for task in tasks {
            task.cancel()
            #expect(await task.value == .cancelled)
        }
        #expect(ContinuousClock.now - began < .seconds(10))
    }

    @Test func `only so many workers run at once, and only so many wait`() async throws {
        let slots = WorkerSlots(count: 2)
        try await slots.acquire()
        try await slots.acquire()
        let waiting = (0..<PhotoLimits.waitingCountMax).map { _ in
            Task { await acquired(slots) }
        }
        while slots.waitingCount < PhotoLimits.waitingCountMax {
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(await acquired(slots) == .busy)
        for _ in waiting { slots.release() }
        for task in waiting { #expect(await task.value == nil) }
        slots.release()
        try await slots.acquire()
    }

    @Test func `every picture gets its own worker, in any order`() async throws {
        let photos = try Studio.decoder()
        try await withThrowingTaskGroup(of: (Int, PhotoSize).self) { group in
            for columns in 1...20 {
                group.addTask {
                    let bytes = MadeJPEG(columns: columns, rows: 1).bytes
                    return (columns, try await photos.encode(.bytes(bytes), for: .chat).size)
                }
            }
            for try await (columns, size) in group {
                #expect(size == PhotoSize(width: columns * 8, height: 8))
            }
        }
    }

    @Test func `behind the fence nothing can be opened, started, reached or executed`() throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: try WorkerProgram.find().path)
        process.arguments = ["--self-test"]
        process.standardOutput = output
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
        #expect(process.terminationStatus == 0)
        #expect(lines.count == 12 && lines.allSatisfy { $0.hasPrefix("refused: ") }, "\(lines)")
    }

    @Test func `each fault says what to do, in other words if a mate sent the picture`() {
        for refusal in PhotoRefusal.allCases where refusal != .unfenced {
            let fault = PhotoFault.refused(refusal)
            #expect(fault.description.contains("Choose a"))
            let sentence = fault.sentence(aboutPhotoOf: "Haru").english
            #expect(sentence.contains("Haru") && sentence.contains("Ask them"))
            #expect(!sentence.contains("Choose"))
        }
        #expect(PhotoFault.refused(.unfenced).description.contains("seccomp"))
    }
}
