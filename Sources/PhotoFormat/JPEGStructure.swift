internal import Glibc

/// The segments of a JPEG: the size that its frame says, the end of the picture, and what it
/// carries beside the picture.
///
///     start · tables, notes … · frame · tables, scan, coded data … · end
struct JPEGStructure {
    static let signature: [UInt8] = [0xFF, 0xD8, 0xFF]
    private static let end: UInt8 = 0xD9
    private static let scan: UInt8 = 0xDA
    private static let note: UInt8 = 0xFE
    private static let applications: ClosedRange<UInt8> = 0xE0...0xEF
    /// Restarts, which occur within coded data only.
    private static let restarts: ClosedRange<UInt8> = 0xD0...0xD7

    let size: PhotoSize
    let end: Int
    /// The markers of the segments.
    private(set) var markers: Set<UInt8> = []
    /// The bytes of application segments and notes: EXIF, colour profiles, comments and the like.
    private(set) var metadataBytesCount = 0

    /// Reads the segments, of bytes that begin with the signature.
    init(_ bytes: [UInt8]) throws(PhotoRefusal) {
        var index = 2
        var size: PhotoSize?
        var hasScan = false
        while let marker = Self.marker(at: &index, in: bytes) {
            if marker == Self.end {
                guard let size, hasScan else { throw .damaged }
                (self.size, end) = (size, index)
                return
            }
            // Those without a length do not occur here, and the rest is reserved.
            guard (0xC0...0xFE).contains(marker), !(0xD0...0xD8).contains(marker),
                let length = bytes.bigEndian(at: index, count: 2), length >= 2,
                length <= bytes.count - index
            else { throw .damaged }
            markers.insert(marker)
            if Self.isFrame(marker) {
                guard size == nil, length >= 8 else { throw .damaged }
                size = try Self.size(inFrameAt: index, of: bytes)
            }
            if Self.applications.contains(marker) || marker == Self.note {
                metadataBytesCount += length
            }
            index += length
            if marker == Self.scan {
                guard size != nil else { throw .damaged }
                hasScan = true
                index = Self.endOfCodedData(from: index, in: bytes)
            }
        }
        throw .damaged
    }

    /// Whether the file is as bare as an encoder makes it without any metadata: only the picture,
    /// its tables, and the 16 bytes of JFIF that say its version and the shape of its pixels.
    func isBare(bytesCount: Int) -> Bool {
        // Tables, baseline and progressive frames, scans, restart intervals, and JFIF.
        end == bytesCount && metadataBytesCount <= 16
            && markers.isSubset(of: [0xDB, 0xC4, 0xC0, 0xC1, 0xC2, 0xDA, 0xDD, 0xE0])
    }

    /// Whether bytes are a bare JPEG of a size, and not too long.
    static func isBare(_ bytes: [UInt8], _ size: PhotoSize, bytesMax: Int) -> Bool {
        guard bytes.count <= bytesMax, bytes.starts(with: signature),
            let found = try? JPEGStructure(bytes)
        else { return false }
        return found.size == size && found.isBare(bytesCount: bytes.count)
    }

    /// Reads the marker at an index, which any number of fill bytes may precede, and moves the
    /// index behind it.
    private static func marker(at index: inout Int, in bytes: [UInt8]) -> UInt8? {
        guard index < bytes.count, bytes[index] == 0xFF else { return nil }
        while index < bytes.count, bytes[index] == 0xFF { index += 1 }
        guard index < bytes.count else { return nil }
        defer { index += 1 }
        return bytes[index]
    }

    /// Whether a marker begins a frame. C4, C8 and CC share the range, and are tables.
    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }

    /// Reads a frame: its length, bits, and height and width in two bytes each. The decoder does
    /// not know a height of 0 either, which a later segment would replace.
    private static func size(
        inFrameAt index: Int, of bytes: [UInt8]
    ) throws(PhotoRefusal) -> PhotoSize {
        guard bytes.bigEndian(at: index + 2, count: 1) == 8,
            let height = bytes.bigEndian(at: index + 3, count: 2),
            let width = bytes.bigEndian(at: index + 5, count: 2)
        else { throw .damaged }
        return try PhotoHeader.check(width: width, height: height)
    }

    /// Returns the index of the next marker that is neither an escaped byte nor a restart, or the
    /// end of the bytes.
    private static func endOfCodedData(from start: Int, in bytes: [UInt8]) -> Int {
        unsafe bytes.withUnsafeBytes { buffer in
            var index = start
            while index + 1 < buffer.count, let base = buffer.baseAddress,
                let found = unsafe memchr(base + index, 0xFF, buffer.count - index - 1)
            {
                index = unsafe UnsafeRawPointer(found) - base
                let next = unsafe buffer[index + 1]
                guard next == 0 || next == 0xFF || restarts.contains(next) else { return index }
                index += next == 0xFF ? 1 : 2
            }
            return buffer.count
        }
    }
}
