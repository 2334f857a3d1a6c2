import Links
import NIOCore
import Records
import Testing

@testable import PeerLink

@Suite struct FrameDecoderTests {
    /// Returns all frames that a decoder finds in bytes that arrive in pieces.
    private func frames(
        _ pieces: [[UInt8]], limit: Int = Limits.frameBytesMax
    ) throws -> [Frame] {
        var decoder = FrameDecoder(lengthBytesMax: limit)
        var found: [Frame] = []
        for piece in pieces {
            var input = ByteBuffer(bytes: piece)
            while let frame = try decoder.next(from: &input) { found.append(frame) }
            #expect(input.readableBytes == 0)
        }
        return found
    }

    private func bytes(_ frames: [Frame]) -> [UInt8] {
        var buffer = ByteBuffer()
        for frame in frames { frame.write(to: &buffer) }
        return Array(buffer.readableBytesView)
    }

    @Test func `a frame consists of its length, its type and its payload`() {
        let frame = Frame(type: 7, payload: [1, 2, 3])
        #expect(bytes([frame]) == [0, 0, 0, 4, 7, 1, 2, 3])
        #expect(bytes([Frame(type: 9, payload: [])]) == [0, 0, 0, 1, 9])
    }

    @Test(arguments: 0..<50) func `frames survive any cutting of the stream`(seed: UInt64) throws {
        var generator = SplitMix(state: seed)
        let sent = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
            Frame(
                type: .random(in: 0...255, using: &generator),
                payload: (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                    .random(in: 0...255, using: &generator)
                })
        }
        var rest = bytes(sent)[...]
        var pieces: [[UInt8]] = []
        while !rest.isEmpty {
            let piece = rest.prefix(.random(in: 1...40, using: &generator))
            pieces.append(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
        #expect(try frames(pieces) == sent)
        #expect(try frames([bytes(sent)]) == sent)
        #expect(try frames(bytes(sent).map { [$0] }) == sent)
    }

    @Test func `a frame of exactly the limit is accepted and one byte more is refused`() throws {
        let fits = Frame(type: 1, payload: [UInt8](repeating: 5, count: 99))
        let tooLong = Frame(type: 1, payload: [UInt8](repeating: 5, count: 100))
        #expect(try frames([bytes([fits])], limit: 100) == [fits])
        #expect(throws: LinkFault.frameTooLong(bytes: 101, limit: 100)) {
            try frames([bytes([tooLong])], limit: 100)
        }
    }

    @Test func `a length of zero is refused and one is an empty message`() throws {
        #expect(throws: LinkFault.frameEmpty) { try frames([[0, 0, 0, 0]]) }
        #expect(try frames([[0, 0, 0, 1, 3]]) == [Frame(type: 3, payload: [])])
    }

    @Test(arguments: OverlongHeader.allAfterHello)
    func `a length over the limit is refused on its fourth byte with nothing allocated`(
        header: OverlongHeader
    ) throws {
        var decoder = FrameDecoder(lengthBytesMax: Limits.frameBytesMax)
        var start = ByteBuffer(bytes: header.bytes.prefix(3))
        #expect(try decoder.next(from: &start) == nil)
        #expect(throws: LinkFault.frameTooLong(bytes: header.length, limit: Limits.frameBytesMax)) {
            var last = ByteBuffer(bytes: header.bytes.suffix(1))
            _ = try decoder.next(from: &last)
        }
        #expect(decoder.allocatedBytes == 0)
    }

    @Test func `an announced length allocates nothing until its bytes arrive`() throws {
        var decoder = FrameDecoder(lengthBytesMax: Limits.frameBytesMax)
        var header = ByteBuffer(bytes: [0, 4, 0, 0, 1])
        #expect(try decoder.next(from: &header) == nil)
        #expect(decoder.allocatedBytes == 0)
        var some = ByteBuffer(repeating: 1, count: 1000)
        #expect(try decoder.next(from: &some) == nil)
        #expect(decoder.allocatedBytes < 4096)
    }

    @Test func `a decoder is inside a frame from its first byte to its last`() throws {
        var decoder = FrameDecoder()
        #expect(!decoder.isInsideFrame)
        for byte: UInt8 in [0, 0, 0, 2, 1] {
            var input = ByteBuffer(bytes: [byte])
            #expect(try decoder.next(from: &input) == nil)
            #expect(decoder.isInsideFrame)
        }
        var last = ByteBuffer(bytes: [9])
        #expect(try decoder.next(from: &last) == Frame(type: 1, payload: [9]))
        #expect(!decoder.isInsideFrame)
    }
}

/// A seeded random number generator, so that a failed case can be repeated.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
