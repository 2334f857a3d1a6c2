import Records
import TestSupport
import Testing

/// Tests a run's dictionaries with bytes written by hand: one author's log from number 1.
@Suite struct RunDictionaryTests {
    private let one: [UInt8] = [0, 0, 0, 1]
    private let two: [UInt8] = [0, 0, 0, 2]
    private let a = [UInt8](repeating: 0xaa, count: 16)
    private let b = [UInt8](repeating: 0xbb, count: 16)
    /// Flags without a bit set, then the number of the first batch.
    private let head: [UInt8] = [0, 1]
    private let signature = [UInt8](repeating: 9, count: 64)

    /// Returns one plain batch stamped (1, 0) with these groups. Each has one create operation.
    private func batch(groups: [UInt8]) -> [UInt8] {
        [1, 1, 0, 0, UInt8(groups.count)] + groups.flatMap { [$0, 1, 1] }
    }

    private func decode(_ bytes: [UInt8]) throws(RecordFault) -> Run {
        var reader = ByteReader(bytes)
        let run = try Run(from: &reader, sender: DeviceID(raw: .zero))
        try reader.finish()
        return run
    }

    private func refuses(_ what: String, _ bytes: [UInt8]) -> Bool {
        #expect(throws: RecordFault.notCanonical(what)) { try decode(bytes) }
        return true
    }

    @Test func `ids in the order of their first use are read`() throws {
        let ids = [2] + one + two + [2, 0] + a + [1] + b
        let run = try decode(head + ids + batch(groups: [0, 1, 0]) + signature)
        #expect(run.batches[0].body?.operations.map(\.collection.rawValue) == [1, 2, 1])
    }

    @Test func `ids out of order, unused or named twice are refused`() {
        let both = [1] + one + [2, 0] + a + [0] + b
        #expect(
            refuses("the order of a run's ids", head + both + batch(groups: [1, 0]) + signature))
        #expect(refuses("an unused id", head + both + batch(groups: [0]) + signature))
        let twice = [1] + one + [2, 0] + a + [0] + a
        #expect(refuses("an id named twice", head + twice + batch(groups: [0, 1]) + signature))
    }

    @Test func `collections out of order, unused or named twice are refused`() {
        let swapped = [2] + one + two + [2, 1] + a + [0] + b
        #expect(
            refuses(
                "the order of a run's collections",
                head + swapped + batch(groups: [0, 1]) + signature))
        let unused = [2] + one + two + [1, 0] + a
        #expect(
            refuses("an unused collection", head + unused + batch(groups: [0]) + signature))
        let twice = [2] + one + one + [2, 0] + a + [1] + b
        #expect(
            refuses("a collection named twice", head + twice + batch(groups: [0, 1]) + signature))
    }

    @Test func `a collection named twice is found among a hundred others`() {
        var ids: [UInt8] = [101]
        for number in 1...100 as ClosedRange<UInt8> { ids += [0, 0, 0, number] }
        ids += one + [101]
        for number in 0...100 as ClosedRange<UInt8> { ids += [number, number] + a.dropFirst() }
        let groups = Array(0...100) as [UInt8]
        #expect(refuses("a collection named twice", head + ids + batch(groups: groups) + signature))
    }

    @Test func `an id beyond the dictionary and an id without a collection are refused`() {
        let ids = [1] + one + [1, 0] + a
        #expect(
            refuses("the order of a run's ids", head + ids + batch(groups: [0, 1]) + signature))
        let alien = [1] + one + [1, 1] + a
        #expect(
            refuses(
                "the order of a run's collections", head + alien + batch(groups: [0]) + signature))
    }

    @Test func `unknown flags and superfluous flags are refused`() {
        #expect(throws: RecordFault.unknownTag("run flag", 8)) { try decode([8]) }
        let rest = [1] + [1] + one + [1, 0] + a + batch(groups: [0]) + signature
        let zeros = [UInt8](repeating: 0, count: 32)
        #expect(refuses("a run's flags", [1] + zeros + rest))
        #expect(refuses("a run's flags", [2] + zeros + rest))
        #expect(refuses("a run's flags", [4, 0] + rest))
    }

    @Test func `a run without batches and a batch without groups are refused`() {
        #expect(refuses("an empty run", head + [0, 0, 0] + signature))
        let ids = [1] + one + [1, 0] + a
        #expect(
            refuses("a batch without operations", head + ids + [1, 1, 0, 0, 0] + signature))
    }

    @Test func `an erased body is 32 bytes after its kind, and no higher kind is known`() throws {
        let hash = [UInt8](repeating: 7, count: 32)
        let run = try decode(head + [0, 0] + [1, 1, 0, 2] + hash + signature)
        #expect(run.batches[0].content == .erased(try #require(Bytes32(hash))))
        #expect(throws: RecordFault.unknownTag("body kind", 3)) {
            try decode(head + [0, 0] + [1, 1, 0, 3] + hash + signature)
        }
        #expect(throws: RecordFault.truncated) {
            try decode(head + [0, 0] + [1, 1, 0, 2] + hash.dropLast())
        }
    }

    @Test func `an erased body has one encoding`() throws {
        let content = BatchContent.erased(Digest.body.hash([1]))
        #expect(content.encoded.count == 33)
        try expectCanonical(content.encoded) { try BatchContent(decoding: $0).encoded }
        #expect(throws: RecordFault.trailingBytes(count: 1)) {
            try BatchContent(decoding: content.encoded + [0])
        }
    }

    @Test func `65536 batches are the limit, refused before any is read`() {
        let ids = [1] + one + [1, 0] + a
        #expect(throws: RecordFault.overLimit("a run's batches", limit: Limits.runBatchesMax)) {
            try decode(head + ids + [0x81, 0x80, 0x04])
        }
        #expect(throws: RecordFault.truncated) { try decode(head + ids + [0x80, 0x80, 0x04]) }
    }

    @Test func `more ids than bytes are refused before anything is allocated`() {
        #expect(throws: RecordFault.overLimit("collections", limit: 0)) {
            try decode(head + [0xff, 0xff, 0x03])
        }
        #expect(throws: RecordFault.overLimit("a run's ids", limit: 1)) {
            try decode(head + [1] + one + [0xff, 0xff, 0x03] + a)
        }
    }

    @Test func `the highest batch number is 2⁴⁰ − 1`() {
        let ids = [1] + one + [1, 0] + a
        let last: [UInt8] = [0xff, 0xff, 0xff, 0xff, 0xff, 0x1f]
        #expect(throws: Never.self) {
            try decode([0] + last + ids + batch(groups: [0]) + signature)
        }
        #expect(throws: RecordFault.overLimit("a batch number", limit: 1 << 40 - 1)) {
            try decode([0] + last + ids + [2])
        }
    }
}
