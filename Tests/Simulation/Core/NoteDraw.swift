internal import Records
internal import TestSupport

/// Draws writes to notes: edits by name for honest writers, operations for others.
struct NoteDraw {
    /// The people whose keys a field may contain.
    let people: [PersonID]
    var chance: SeededGenerator

    private var fields: [RecordCollection.Field] { RecordCollection.simulatedNote.fields }

    /// Draws the edits of one batch.
    mutating func edits(on notes: [EntityID]) -> [Edit] {
        let count = chance.chance(5) ? 30 : chance.number(1...3)
        return (0..<count).map { _ in edit(on: notes) }
    }

    private mutating func edit(on notes: [EntityID]) -> Edit {
        let name = RecordCollection.simulatedNote.name
        guard !notes.isEmpty, !chance.chance(15) else {
            return chance.chance(60)
                ? .own(collection: name, fields: fieldValues())
                : .create(collection: name, nonce: chance.nonce(), fields: fieldValues())
        }
        // Few notes are written often.
        let entity = notes[
            min(chance.number(0...notes.count - 1), chance.number(0...notes.count - 1))]
        let field = fields[chance.number(0...fields.count - 1)]
        switch field.merge {
        case .addWinsSet where chance.chance(60):
            return .add(collection: name, entity: entity, field: field.name, value(field))
        case .addWinsSet:
            return .remove(collection: name, entity: entity, field: field.name, value(field))
        case .counter:
            let delta = Int64(chance.number(-9...9))
            return .count(collection: name, entity: entity, field: field.name, by: delta)
        default:
            return .set(collection: name, entity: entity, fields: [field.name: value(field)])
        }
    }

    private mutating func fieldValues() -> [String: Value] {
        var values: [String: Value] = [:]
        for field in fields where [.append, .lastWriter, .firstWriter].contains(field.merge) {
            guard field.writer == .creator || field.writer == .anyMember, chance.chance(30)
            else { continue }
            values[field.name] = value(field)
        }
        return values
    }

    /// Draws a value for a field from few values, so that writes coincide; sometimes null or over
    /// the limit.
    mutating func value(_ field: RecordCollection.Field, isRight: Bool = true) -> Value {
        if field.merge != .addWinsSet, chance.chance(5) { return .null }
        switch field.type {
        case .boolean: return .boolean(chance.chance(50))
        case .integer: return .integer(Int64(chance.number(0...9)))
        case .real: return .real(Double(chance.number(0...9)) / 2)
        case .text:
            return .text(isRight ? "\(chance.number(0...5))" : String(repeating: "x", count: 21))
        case .bytes: return .bytes(chance.bytes(chance.number(0...(isRight ? 4 : 5))))
        case .key: return .bytes(people[chance.number(0...people.count - 1)].bytes)
        case .blob: return .null
        case .texts: return .list((0..<chance.number(0...(isRight ? 3 : 4))).map { .text("\($0)") })
        }
    }

    /// Draws an operation on a note, which may be invalid.
    mutating func operation(on entity: EntityID, dots: [Dot]) -> Operation {
        let field = fields[chance.number(0...fields.count - 1)]
        return Operation(
            collection: RecordCollection.simulatedNote.id, entity: entity,
            action: action(field, dots: dots))
    }

    private mutating func action(
        _ field: RecordCollection.Field, dots: [Dot]
    ) -> Operation.Action {
        let number = chance.chance(3) ? 999 : field.number
        let isRight = !chance.chance(10)
        switch chance.chance(8) ? .counter : field.merge {
        case .lastWriter, .firstWriter, .append:
            return .set(field: number, value(field, isRight: isRight))
        case .counter: return .count(field: number, Int64(chance.number(-5...5)))
        case .addWinsSet:
            guard chance.chance(40), !dots.isEmpty else {
                return .add(field: number, value(field, isRight: isRight))
            }
            let some = (0...chance.number(0...2)).map { _ in dots[chance.number(0...dots.count - 1)]
            }
            return .remove(field: number, Set(some).sorted())
        }
    }
}

extension SeededGenerator {
    /// Draws sixteen bytes.
    mutating func nonce() -> Bytes16 { Bytes16(bytes(16)) ?? .zero }
}
