import Records
import TestSupport

/// Records of every shape, drawn from a seed.
extension SeededGenerator {
    mutating func bytes32() -> Bytes32 { Bytes32(bytes(32)) ?? .zero }
    mutating func bytes16() -> Bytes16 { Bytes16(bytes(16)) ?? .zero }
    mutating func device() -> DeviceID { DeviceID(raw: bytes32()) }

    /// Draws small and large numbers: the number of bits is drawn first.
    mutating func integer() -> Int64 {
        Int64(bitPattern: next()) >> Int64(number(0...63))
    }

    mutating func text() -> String {
        let letters = ["a", "é", "산", "👩‍👩‍👧", "\u{0}", " ", "z"]
        return (0..<number(0...40)).map { _ in letters[number(0...6)] }.joined()
    }

    mutating func value(inList: Bool = false) -> Value {
        switch number(0...(inList ? 6 : 7)) {
        case 0: .null
        case 1: .boolean(chance(50))
        case 2, 3: .integer(integer())
        case 4: .real(Double(integer()) / 8)
        case 5: .text(text())
        case 6: .bytes(bytes(number(0...40)))
        default: .list((0..<number(0...35)).map { _ in value(inList: true) })
        }
    }

    mutating func head() -> LogHead {
        LogHead(
            log: LogName(device: device(), branch: chance(30) ? BranchName(raw: bytes32()) : .main),
            number: UInt64(number(1...100_000)), hash: BatchHash(raw: bytes32()))
    }

    mutating func fieldAction() -> Operation.Action {
        let field = UInt64(number(1...4095))
        switch number(0...6) {
        case 0: return .create(nonce: bytes16())
        case 1: return .createOwn
        case 2: return .add(field: field, value())
        case 3:
            let dots = (0..<number(1...4)).map { _ in Dot(raw: bytes16()) }
            return .remove(field: field, dots.sorted())
        case 4: return .count(field: field, integer())
        default: return .set(field: field, value())
        }
    }

    mutating func controlAction() -> Operation.Action {
        switch number(0...3) {
        case 0: .grant(PersonID(raw: bytes32()), Role.allCases[number(0...2)])
        case 1: .accept
        case 2: .cut(PersonID(raw: bytes32()), (0..<number(0...3)).map { _ in head() }.sorted())
        default: .erase(head())
        }
    }

    /// Draws operations on few entities, so that entities repeat.
    mutating func body(entities: [EntityID]) -> BatchBody {
        let collections = [CollectionID(name: "test.one/1"), CollectionID(name: "test.two/1")]
        let operations = (0..<number(1...8)).map { _ in
            chance(10)
                ? Operation(collection: .control, entity: .control, action: controlAction())
                : Operation(
                    collection: collections[number(0...1)],
                    entity: entities[number(0...entities.count - 1)], action: fieldAction())
        }
        return BatchBody(operations, salt: chance(30) ? bytes16() : nil)
    }

    mutating func body() -> BatchBody { body(entities: entities()) }

    mutating func entities() -> [EntityID] {
        (0..<number(1...4)).map { _ in EntityID(raw: bytes16()) }
    }
}
