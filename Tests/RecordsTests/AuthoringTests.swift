import Crypto
import Records
import TestSupport
import Testing

@Suite struct AuthoringTests {
    private func author(_ body: BatchBody) throws -> CheckedRun {
        let key = try Curve25519.Signing.PrivateKey(
            rawRepresentation: [UInt8](repeating: 1, count: 32))
        let device = try #require(DeviceID(bytes: Array(key.publicKey.rawRepresentation)))
        return try CheckedRun(
            authoring: body, in: SpaceID(raw: .zero), log: LogName(device: device), number: 1,
            previous: .none, epoch: 0, stamp: Stamp(Timestamp(milliseconds: 1))
        ) { try #require(Signature(Array(try key.signature(for: $0)))) }
    }

    private func set(_ value: Value, field: UInt64 = 1) -> Operation {
        Operation(
            collection: CollectionID(rawValue: 1),
            entity: EntityID(raw: Bytes16(prefixOf: Digest.entity.hash([]))),
            action: .set(field: field, value))
    }

    @Test func `an authored batch passes the check of other replicas`() throws {
        let made = try author(BatchBody([set(.text("산책"))]))
        let batch = made.batches[0]
        let run = Run(
            log: batch.header.log, firstNumber: 1, epoch: 0,
            batches: [Run.Link(stamp: batch.header.stamp, content: batch.content)],
            signature: made.signature)
        #expect(try run.check(in: SpaceID(raw: .zero), after: .none).batches[0].hash == batch.hash)
    }

    @Test func `4096 operations are signed and 4097 are not`() throws {
        let limit = Limits.batchOperationsMax
        #expect(throws: Never.self) {
            try author(BatchBody([Operation](repeating: set(.null), count: limit)))
        }
        #expect(throws: BatchFault.tooManyOperations(count: limit + 1, limit: limit)) {
            try author(BatchBody([Operation](repeating: set(.null), count: limit + 1)))
        }
    }

    @Test func `a body of 65536 bytes is signed and one byte more is not`() throws {
        func body(_ count: Int) -> BatchBody {
            BatchBody([
                set(.bytes([UInt8](repeating: 0, count: Limits.valueBytesMax))),
                set(.bytes([UInt8](repeating: 0, count: count))),
            ])
        }
        let limit = Limits.batchBodyBytesMax
        let start = Limits.valueBytesMax - 100
        let fitting = start + limit - body(start).encoded.count
        #expect(try author(body(fitting)).batches[0].encodedContent.count == limit)
        #expect(throws: BatchFault.tooLong(bytes: limit + 1, limit: limit)) {
            try author(body(fitting + 1))
        }
    }

    @Test func `a batch that no other replica could read is not signed`() {
        let overlong = String(repeating: "a", count: Limits.valueBytesMax + 1)
        for operation in [
            set(.real(.nan)), set(.real(.infinity)), set(.list([.list([])])), set(.text(overlong)),
            set(.null, field: 0), set(.null, field: 4096),
        ] {
            #expect(throws: RecordFault.self) { try author(BatchBody([operation])) }
        }
        #expect(throws: RecordFault.self) { try author(BatchBody([])) }
    }
}
