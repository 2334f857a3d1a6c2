import PhotoFormat
import Testing

struct PhotoAnswerTests {
    private func fault(of bytes: [UInt8], to task: PhotoTask) -> PhotoAnswer.Fault? {
        do throws(PhotoAnswer.Fault) {
            _ = try PhotoAnswer(bytes, to: task)
            return nil
        } catch {
            return error
        }
    }

    private var pixels: PhotoAnswer {
        .pixels(PhotoPixels(size: PhotoSize(width: 2, height: 1), rgb: [1, 2, 3, 4, 5, 6]))
    }

    private func photo(_ jpeg: [UInt8], _ size: PhotoSize) -> [UInt8] {
        var thumbnail = MadeJPEG(columns: 13, rows: 13).bytes
        let frame = thumbnail.indices.first { thumbnail[$0...].starts(with: [0xFF, 0xC0]) } ?? 0
        (thumbnail[frame + 6], thumbnail[frame + 8]) = (100, 100)
        return PhotoAnswer.photo(EncodedPhoto(size: size, jpeg: jpeg, thumbnail: thumbnail)).encoded
    }

    @Test func `requests and answers are read as they were written`() throws {
        for task in [PhotoTask.profile, .chat, .pixels(sideMax: 7)] {
            let request = PhotoRequest(task: task, bytesCount: 77_777)
            #expect(PhotoRequest(head: request.head) == request)
        }
        #expect(try PhotoAnswer(pixels.encoded, to: .pixels(sideMax: 2)) == pixels)
        for refusal in PhotoRefusal.allCases {
            let answer = PhotoAnswer.refused(refusal)
            #expect(try PhotoAnswer(answer.encoded, to: .chat) == answer)
        }
        let jpeg = MadeJPEG(columns: 2, rows: 1)
        let size = PhotoSize(width: 16, height: 8)
        #expect(fault(of: photo(jpeg.bytes, size), to: .profile) == nil)
    }

    @Test func `a head that is none is not read`() {
        let head = PhotoRequest(task: .pixels(sideMax: 1600), bytesCount: 1).head
        for index in 0..<5 {
            var broken = head
            broken[index] ^= 0x40
            #expect(PhotoRequest(head: broken) == nil)
        }
        #expect(PhotoRequest(head: head.replacing(5..<7, with: [0x06, 0x41])) == nil)
        #expect(PhotoRequest(head: head.replacing(5..<7, with: [0, 0])) == nil)
        #expect(PhotoRequest(head: head + [0]) == nil)
    }

    @Test func `nonsense is no answer`() {
        #expect(fault(of: [], to: .chat) == .noAnswer)
        #expect(fault(of: Array("WGP2\0".utf8), to: .chat) == .noAnswer)
        #expect(fault(of: Array("WGP1".utf8) + [7], to: .chat) == .unknownRefusal(7))
        #expect(fault(of: Array("WGP1".utf8) + [1, 0], to: .chat) == .wrongLength)
        #expect(fault(of: Array("WGP1".utf8) + [0], to: .chat) == .wrongLength)
    }

    @Test func `an answer of another length than it says is refused`() {
        let whole = pixels.encoded
        for count in 5..<whole.count {
            #expect(fault(of: Array(whole.prefix(count)), to: .pixels(sideMax: 2)) == .wrongLength)
        }
        #expect(fault(of: whole + [0], to: .pixels(sideMax: 2)) == .wrongLength)
        let length: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
        #expect(fault(of: whole.replacing(9..<13, with: length), to: .chat) == .wrongLength)
    }

    @Test func `a picture over the size of its task, or of another size than it says, is refused`()
    {
        let size = PhotoSize(width: 2, height: 1)
        #expect(fault(of: pixels.encoded, to: .pixels(sideMax: 1)) == .wrongSize(size))
        let empty = PhotoAnswer.pixels(PhotoPixels(size: PhotoSize(width: 0, height: 0), rgb: []))
        #expect(
            fault(of: empty.encoded, to: .pixels(sideMax: 1))
                == .wrongSize(PhotoSize(width: 0, height: 0)))
        let few = PhotoAnswer.pixels(PhotoPixels(size: size, rgb: [1, 2, 3]))
        #expect(fault(of: few.encoded, to: .pixels(sideMax: 2)) == .wrongSize(size))
        let jpeg = MadeJPEG(columns: 50, rows: 1).bytes
        let wide = PhotoSize(width: 400, height: 8)
        #expect(fault(of: photo(jpeg, wide), to: .profile) == .wrongSize(wide))
        #expect(fault(of: photo(jpeg, wide), to: .chat) == nil)
        #expect(fault(of: photo(jpeg, PhotoSize(width: 8, height: 8)), to: .chat) == .notBare)
    }

    @Test func `a JPEG with metadata, or with bytes after its end, is refused`() {
        var jpeg = MadeJPEG(columns: 1, rows: 1)
        let size = PhotoSize(width: 8, height: 8)
        #expect(fault(of: photo(jpeg.bytes + [0], size), to: .chat) == .notBare)
        #expect(fault(of: photo(Array("no picture".utf8), size), to: .chat) == .notBare)
        for (marker, count) in [(0xE0, 15), (0xE1, 4), (0xE2, 4), (0xEE, 12), (0xFE, 4)] {
            jpeg.segments = [(UInt8(marker), [UInt8](repeating: 65, count: count))]
            #expect(fault(of: photo(jpeg.bytes, size), to: .chat) == .notBare, "marker \(marker)")
        }
        jpeg.segments = [(0xE0, [UInt8](repeating: 65, count: 14))]
        #expect(fault(of: photo(jpeg.bytes, size), to: .chat) == nil)
    }
}
