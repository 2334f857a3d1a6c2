import Foundation
import Photos
import TestSupport
import Testing

/// The built worker, on pictures that it refuses.
struct HostilePictureTests {
    private func refusal(of bytes: [UInt8]) async throws -> PhotoFault? {
        do throws(PhotoFault) {
            _ = try await PhotoDecoder(try WorkerProgram.find()).encode(.bytes(bytes), for: .chat)
            return nil
        } catch {
            return error
        }
    }

    @Test func `what is not a picture, too long or too large is refused`() async throws {
        #expect(try await refusal(of: []) == .refused(.unknownFormat))
        #expect(try await refusal(of: Array("GIF89a".utf8)) == .refused(.unknownFormat))
        let long = [UInt8](repeating: 0, count: PhotoLimits.inputBytesMax + 1)
        #expect(try await refusal(of: long) == .refused(.tooLong))
        let bomb = MadePNG(
            width: 50_000, height: 50_000, data: MadePNG.endlessZeros(count: 1_000_000))
        #expect(try await refusal(of: bomb.bytes) == .refused(.tooManyPixels))
    }

    @Test func `a picture that is cut anywhere is damaged`() async throws {
        var png = MadePNG(width: 40, height: 40)
        png.pixel = { x, y in [UInt8(x), UInt8(y), 7] }
        let jpeg = MadeJPEG(columns: 9, rows: 9)
        for bytes in [png.bytes, jpeg.bytes] {
            for count in stride(from: 8, to: bytes.count, by: bytes.count / 24) {
                #expect(try await refusal(of: Array(bytes.prefix(count))) == .refused(.damaged))
            }
        }
    }

    @Test func `a PNG whose data ends early is damaged, whatever follows it`() async throws {
        let whole = MadePNG(width: 40, height: 40, colours: .grey)
        for rowsCount in [0, 1, 20, 39] {
            var png = whole
            // The compressed data is valid and ends; only rows are missing.
            png.data = MadePNG.stored([UInt8](repeating: 0, count: 41 * rowsCount))
            #expect(try await refusal(of: png.bytes) == .refused(.damaged), "\(rowsCount) rows")
            png.data = MadePNG.endlessZeros(count: 41 * rowsCount)
            #expect(try await refusal(of: png.bytes) == .refused(.damaged), "\(rowsCount) rows")
        }
    }

    @Test func `memory that nothing was decoded into never comes out`() async throws {
        // Interlaced, and only the first passes are there: the rest is white.
        var png = MadePNG(width: 64, height: 64, colours: .grey, isInterlaced: true)
        png.data = MadePNG.stored([UInt8](repeating: 0, count: 8 * 9))
        do throws(PhotoFault) {
            let pixels = try await PhotoDecoder(try WorkerProgram.find()).pixels(
                of: .bytes(png.bytes), sideMax: 64)
            #expect(pixels.rgb.allSatisfy { $0 == 0 || $0 == 255 })
        } catch {
            #expect(error == .refused(.damaged))
        }
    }

    @Test func `data that inflates without end costs no more than the picture`() async throws {
        var png = MadePNG(width: 100, height: 100, colours: .grey)
        png.data = MadePNG.endlessZeros(count: 500_000_000)
        let bytes = png.bytes
        let began = ContinuousClock.now
        #expect(try await refusal(of: bytes) == nil)
        // The worker yields to all that runs beside it.
        #expect(ContinuousClock.now - began < .seconds(15))
    }

    @Test func `a picture with a wrong checksum, or with swapped halves, is damaged`()
        async throws
    {
        var png = MadePNG(width: 40, height: 40).bytes
        png[png.count / 2] ^= 1
        #expect(try await refusal(of: png) == .refused(.damaged))
        let jpeg = MadeJPEG(columns: 9, rows: 9).bytes
        let swapped = Array(jpeg[..<4] + jpeg[(jpeg.count / 2)...] + jpeg[4..<(jpeg.count / 2)])
        #expect(try await refusal(of: swapped) == .refused(.damaged))
    }

    @Test func `an animation counts as its first picture`() async throws {
        var png = MadePNG(width: 16, height: 16)
        png.extras = [("acTL", [0, 0, 0x4E, 0x20, 0, 0, 0, 0])]
        let bytes = png.bytes
        var frames: [UInt8] = []
        for number in 0..<20_000 {
            var frame: [UInt8] = []
            frame.append(number: number, bytes: 4)
            frames += MadePNG.chunk("fdAT", frame + MadePNG.stored([0, 0]))
        }
        let end = bytes.count - 12
        #expect(try await refusal(of: bytes.replacing(end..<end, with: frames)) == nil)
        #expect(try await refusal(of: Array("GIF89a".utf8) + frames) == .refused(.unknownFormat))
    }

    @Test func `files that are none are not read, and a missing one is named`() async throws {
        let photos = try Studio.decoder()
        let folder = try TestDirectory.make("photos")
        let none = folder + "/none.jpg"
        for (path, fault) in [
            (folder, PhotoFault.notAFile(path: folder)),
            ("/dev/zero", .notAFile(path: "/dev/zero")),
            (none, .unreadable(path: none, reason: "No such file or directory")),
        ] {
            await #expect(throws: fault) {
                try await photos.encode(.file(path: path), for: .chat)
            }
        }
        let path = folder + "/photo.txt"
        try Data(MadeJPEG(columns: 1, rows: 1).bytes).write(to: URL(fileURLWithPath: path))
        let photo = try await photos.encode(.file(path: path), for: .chat)
        #expect(photo.size == PhotoSize(width: 8, height: 8))
    }
}
