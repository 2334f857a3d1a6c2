import Records
import Testing

/// The one encoding of a blob's hash, size and media type.
struct BlobValueTests {
    private let content = Array("waggle".utf8)

    private func encoded(size: UInt64, kind: String) -> [UInt8] {
        var bytes = BlobHash(of: content).bytes
        bytes.append(varint: size)
        bytes.append(text: kind)
        return bytes
    }

    @Test func `a blob is read back from its encoding`() throws {
        let blob = try #require(Blob(of: content, kind: "image/jpeg"))
        #expect(try Blob(decoding: blob.encoded) == blob)
        #expect(blob.encoded == encoded(size: 6, kind: "image/jpeg"))
        #expect(Row(["photo": blob.value]).blob("photo") == blob)
    }

    @Test func `sizes from one byte to the limit are read, and no others`() throws {
        let limit = UInt64(Limits.blobBytesMax)
        for size in [1, limit] {
            #expect(
                try Blob(decoding: encoded(size: size, kind: "image/png")).bytesCount == Int(size))
        }
        for size in [0, limit + 1, .max] {
            #expect(throws: RecordFault.self) {
                _ = try Blob(decoding: encoded(size: size, kind: "image/png"))
            }
        }
        #expect(Blob(of: [], kind: "image/png") == nil)
    }

    @Test(arguments: [
        "", "image", "/", "image/", "/png", "image/png/x", "Image/png", "image/p ng", "image/é",
        "image/" + String(repeating: "x", count: 59),
    ])
    func `a malformed media type is refused`(kind: String) {
        #expect(!Blob.isKind(kind))
        #expect(throws: RecordFault.self) {
            _ = try Blob(decoding: encoded(size: 6, kind: kind))
        }
    }

    @Test func `a media type of 64 bytes is read`() throws {
        let kind = "image/" + String(repeating: "x", count: 58)
        #expect(try Blob(decoding: encoded(size: 6, kind: kind)).kind == kind)
    }

    @Test func `a shortened or lengthened encoding is refused`() throws {
        let whole = encoded(size: 300, kind: "image/svg+xml")
        #expect(try Blob(decoding: whole).bytesCount == 300)
        for count in whole.indices {
            #expect(throws: RecordFault.self) { _ = try Blob(decoding: Array(whole[..<count])) }
        }
        #expect(throws: RecordFault.self) { _ = try Blob(decoding: whole + [0]) }
    }

    @Test func `a field admits its kinds up to its size`() throws {
        let type = FieldType.blob(kinds: ["image/jpeg", "image/png"], bytesMax: 6)
        let right = try #require(Blob(of: content, kind: "image/png"))
        let long = try #require(Blob(of: content + [0], kind: "image/png"))
        let text = try #require(Blob(of: content, kind: "text/plain"))
        #expect(type.admits(right.value))
        #expect(type.admits(.null))
        #expect(!type.admits(long.value))
        #expect(!type.admits(text.value))
        #expect(!type.admits(.bytes(right.encoded + [0])))
        #expect(!type.admits(.text("image/png")))
    }
}
