import Records
import TestSupport
import Testing

@Suite struct BatchBodyTests {
    private let collection = CollectionID(rawValue: 0x0102_0304)
    private let entity = EntityID(raw: Bytes16([UInt8](repeating: 5, count: 16)) ?? .zero)

    private func recode(_ bytes: [UInt8]) throws -> [UInt8] {
        try BatchBody(decoding: bytes).encoded
    }

    private func operation(_ action: Operation.Action) -> Operation {
        Operation(collection: collection, entity: entity, action: action)
    }

    /// A plain body with one group, whose operations are these bytes.
    private func group(_ operations: [UInt8], count: UInt8 = 1) -> [UInt8] {
        [0, 1, 2, 3, 4] + [UInt8](repeating: 5, count: 16) + [count] + operations
    }

    @Test func `a body is unchanged after encoding`() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            let body = generator.body()
            #expect(try BatchBody(decoding: body.encoded) == body)
        }
    }

    @Test func `a body has one encoding`() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<20 { try expectCanonical(generator.body().encoded, recode) }
    }

    @Test func `a group split in two is refused`() {
        let bytes = group([1]) + group([1]).dropFirst()
        #expect(throws: RecordFault.notCanonical("a group split in two")) {
            try BatchBody(decoding: bytes)
        }
    }

    @Test func `a body and a group without operations are refused`() {
        #expect(throws: RecordFault.notCanonical("a batch without operations")) {
            try BatchBody(decoding: [0])
        }
        #expect(throws: RecordFault.notCanonical("an empty group")) {
            try BatchBody(decoding: group([], count: 0))
        }
        #expect(throws: RecordFault.truncated) { try BatchBody(decoding: []) }
    }

    @Test func `4096 operations are read and 4097 are refused`() throws {
        let limit = Limits.batchOperationsMax
        let atLimit = BatchBody([Operation](repeating: operation(.createOwn), count: limit))
        #expect(try BatchBody(decoding: atLimit.encoded) == atLimit)
        let over = BatchBody([Operation](repeating: operation(.createOwn), count: limit + 1))
        #expect(throws: RecordFault.overLimit("operations", limit: limit)) {
            try BatchBody(decoding: over.encoded)
        }
    }

    @Test func `4097 operations in two groups are refused`() throws {
        let limit = Limits.batchOperationsMax
        let other = Operation(
            collection: CollectionID(rawValue: 1), entity: entity, action: .createOwn)
        let first = [Operation](repeating: operation(.createOwn), count: limit)
        #expect(throws: RecordFault.overLimit("a batch's operations", limit: limit)) {
            try BatchBody(decoding: BatchBody(first + [other]).encoded)
        }
    }

    @Test func `a body of 65536 bytes is read and one byte more is refused`() throws {
        func body(_ count: Int) -> BatchBody {
            let values = [Limits.valueBytesMax, count].map { count in
                operation(.set(field: 1, .bytes([UInt8](repeating: 9, count: count))))
            }
            return BatchBody(values)
        }
        let rest = Limits.batchBodyBytesMax - body(Limits.valueBytesMax / 2).encoded.count
        let atLimit = body(Limits.valueBytesMax / 2 + rest)
        #expect(atLimit.encoded.count == Limits.batchBodyBytesMax)
        #expect(try BatchBody(decoding: atLimit.encoded) == atLimit)
        let over = body(Limits.valueBytesMax / 2 + rest + 1)
        #expect(throws: RecordFault.overLimit("a batch's bytes", limit: Limits.batchBodyBytesMax)) {
            try BatchBody(decoding: over.encoded)
        }
    }

    @Test func `dots out of order, named twice or none are refused`() {
        let (low, high) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16))
        #expect(throws: Never.self) { try BatchBody(decoding: group([10, 2] + low + high)) }
        for dots in [high + low, low + low] {
            #expect(throws: RecordFault.notCanonical("a removal's order")) {
                try BatchBody(decoding: group([10, 2] + dots))
            }
        }
        #expect(throws: RecordFault.notCanonical("a removal of nothing")) {
            try BatchBody(decoding: group([10, 0]))
        }
    }

    @Test func `1024 dots are read and 1025 are refused`() throws {
        func body(_ count: Int) -> BatchBody {
            var generator = SeededGenerator(seed: 7)
            let dots = (0..<count).map { _ in Dot(raw: generator.bytes16()) }.sorted()
            return BatchBody([operation(.remove(field: 1, dots))])
        }
        #expect(try BatchBody(decoding: body(1024).encoded) == body(1024))
        #expect(throws: RecordFault.overLimit("a removal's dots", limit: 1024)) {
            try BatchBody(decoding: body(1025).encoded)
        }
    }

    @Test func `field 4095 is read and field 4096 is refused`() throws {
        let atLimit = BatchBody([operation(.set(field: 4095, .null))])
        #expect(try BatchBody(decoding: atLimit.encoded) == atLimit)
        #expect(throws: RecordFault.overLimit("a field number", limit: 4095)) {
            try BatchBody(decoding: BatchBody([operation(.set(field: 4096, .null))]).encoded)
        }
    }

    @Test func `the logs of a cut are in order, each once`() throws {
        var generator = SeededGenerator(seed: 3)
        let heads = (0..<3).map { _ in generator.head() }.sorted()
        let person = PersonID(raw: generator.bytes32())
        func encoded(_ heads: [LogHead]) -> [UInt8] {
            let cut = Operation(collection: .control, entity: .control, action: .cut(person, heads))
            return BatchBody([cut]).encoded
        }
        #expect(throws: Never.self) { try BatchBody(decoding: encoded(heads)) }
        for wrong in [heads.reversed(), [heads[0], heads[0]]] {
            #expect(throws: RecordFault.notCanonical("a cut's order")) {
                try BatchBody(decoding: encoded(wrong))
            }
        }
    }

    @Test func `control operations belong to the control collection, and no others do`() throws {
        var generator = SeededGenerator(seed: 4)
        #expect(throws: RecordFault.self) {
            try BatchBody(decoding: BatchBody([operation(generator.controlAction())]).encoded)
        }
        for action in [Operation.Action.createOwn, .set(field: 1, .null)] {
            let misplaced = Operation(collection: .control, entity: .control, action: action)
            #expect(throws: RecordFault.self) {
                try BatchBody(decoding: BatchBody([misplaced]).encoded)
            }
        }
        let elsewhere = Operation(collection: .control, entity: entity, action: .accept)
        #expect(throws: RecordFault.notCanonical("a control entity")) {
            try BatchBody(decoding: BatchBody([elsewhere]).encoded)
        }
    }

    @Test func `a salt changes the hash and nothing else`() throws {
        let plain = BatchBody([operation(.createOwn)])
        let salted = BatchBody([operation(.createOwn)], salt: .zero)
        #expect(try BatchBody(decoding: salted.encoded) == salted)
        #expect(Digest.body.hash(plain.encoded) != Digest.body.hash(salted.encoded))
        #expect(throws: RecordFault.unknownTag("body kind", 2)) { try BatchBody(decoding: [2]) }
    }
}
