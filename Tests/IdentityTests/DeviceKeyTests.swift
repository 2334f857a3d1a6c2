import Identity
import Records
import TestSupport
import Testing

@Suite struct DeviceKeyTests {
    @Test func `two keys are two devices`() {
        #expect(DeviceKey().id != DeviceKey().id)
    }

    @Test func `a stored key is the same device`() throws {
        let key = DeviceKey()
        #expect(try DeviceKey(rawRepresentation: key.rawRepresentation).id == key.id)
    }

    @Test func `a key is drawn from the given generator`() {
        var (one, two) = (SeededGenerator(seed: 1), SeededGenerator(seed: 1))
        #expect(DeviceKey(using: &one).id == DeviceKey(using: &two).id)
    }

    @Test(arguments: [0, 31, 33, 64]) func `a key of another length is refused`(count: Int) {
        #expect(throws: IdentityFault.wrongKeyLength(bytes: count)) {
            try DeviceKey(rawRepresentation: [UInt8](repeating: 1, count: count))
        }
    }

    @Test func `a signature is valid only for its bytes and its device`() throws {
        let key = DeviceKey()
        let signature = try key.sign([1, 2, 3])
        #expect(signature.verifies([1, 2, 3], by: key.id.raw))
        #expect(!signature.verifies([1, 2, 4], by: key.id.raw))
        #expect(!signature.verifies([1, 2, 3], by: DeviceKey().id.raw))
    }
}
