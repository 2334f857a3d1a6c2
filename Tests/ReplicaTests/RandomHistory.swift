import Identity
import Records
import TestSupport

/// Logs of several devices that write the same notes at random, sometimes against the rules.
///
/// The devices do not follow each other's clocks: stamps collide, and writes name notes and dots
/// whose batches another replica may receive later.
struct RandomHistory {
    let people: [Someone]
    let spaces: [SpaceDescriptor]
    private(set) var authors: [Author] = []
    private var generator: SeededGenerator
    private var notes: [SpaceID: [EntityID]] = [:]
    private var dots: [SpaceID: [Dot]] = [:]
    private var clocks: [Int] = []
    /// Whether batches are salted, and some erased.
    private let isErasing: Bool
    /// The batches that an erase concerns.
    private(set) var erased: Set<BatchHash> = []
    /// Few of the fields, so that writes conflict.
    private let fields: [RecordCollection.Field]

    init(seed: UInt64, batchCount: Int, isErasing: Bool = false) throws {
        self.isErasing = isErasing
        generator = SeededGenerator(seed: seed)
        var shuffled = RecordCollection.note.fields.filter { $0.name != "friend" }
        shuffled.shuffle(using: &generator)
        fields = shuffled.prefix(7) + RecordCollection.note.fields.filter { $0.name == "friend" }
        let first = try Someone(seed: seed &+ 1000, deviceCount: generator.number(2...3))
        let second = try Someone(seed: seed &+ 2000, deviceCount: generator.number(1...2))
        people = [first, second]
        let pair = SpaceDescriptor.between(first.person, second.person)
        let card = SpaceDescriptor.card(first.person)
        spaces = [pair, card]
        authors += (first.devices + second.devices).map { Author($0, in: pair) }
        authors += first.devices.map { Author($0, in: card) }
        clocks = authors.map { _ in 0 }
        for _ in 0..<batchCount { try writeBatch() }
    }

    private mutating func writeBatch() throws {
        let index = generator.number(0...authors.count - 1)
        clocks[index] += generator.number(1...3)
        var operations: [Operation] = []
        for _ in 0..<generator.number(1...4) { operations += draw(authors[index]) }
        var salt: Bytes16?
        if isErasing {
            salt = generator.chance(70) ? Bytes16(generator.bytes(16)) : nil
            if generator.chance(25) { operations += drawErase(by: authors[index]) }
        }
        let batch = try authors[index].write(
            operations, at: now + .milliseconds(clocks[index]), salt: salt)
        for (place, operation) in operations.enumerated() {
            guard case .add = operation.action else { continue }
            dots[authors[index].space, default: []].append(
                Dot(batch: batch.hash, operationIndex: place))
        }
    }

    /// Returns an erase of some batch of the space, which may not be erasable.
    private mutating func drawErase(by author: Author) -> [Operation] {
        let inSpace = authors.filter { $0.space == author.space }.flatMap(\.batches)
        guard let batch = inSpace.randomElement(using: &generator) else { return [] }
        let owners = people.map { Set($0.devices.map(\.id)) }
        let isOwn = owners.contains {
            $0.contains(author.log.device) && $0.contains(batch.header.log.device)
        }
        let isPlain = batch.body?.operations.allSatisfy { $0.collection != .control } ?? false
        if isOwn, isPlain, batch.body?.salt != nil { erased.insert(batch.hash) }
        return [.erase(batch)]
    }

    private mutating func draw(_ author: Author) -> [Operation] {
        guard let notes = notes[author.space], !generator.chance(15) else {
            let create = drawCreate(author)
            return [create] + (0...2).map { _ in drawWrite(create.entity, author.space) }
        }
        return [drawWrite(notes[generator.number(0...notes.count - 1)], author.space)]
    }

    private mutating func drawWrite(_ note: EntityID, _ space: SpaceID) -> Operation {
        let field = fields[generator.number(0...fields.count - 1)]
        return Operation(
            collection: RecordCollection.note.id, entity: note, action: draw(field, space))
    }

    private mutating func drawCreate(_ author: Author) -> Operation {
        let owner = people[generator.number(0...1)].person
        let isOwn = generator.chance(70)
        let nonce = UInt8(generator.number(0...1))
        let created = isOwn ? author.createOwn(owner) : author.create(nonce)
        notes[author.space, default: []].append(created.entity)
        return created.operation
    }

    private mutating func draw(
        _ field: RecordCollection.Field, _ space: SpaceID
    ) -> Operation.Action {
        let verb = generator.chance(10) ? MergeRule.counter : field.merge
        switch verb {
        case .lastWriter, .firstWriter, .append:
            return .set(field: field.number, value(field))
        case .counter: return .count(field: field.number, Int64(generator.number(-5...5)))
        case .addWinsSet:
            let seen = dots[space] ?? []
            guard generator.chance(40), !seen.isEmpty else {
                return .add(field: field.number, value(field))
            }
            let some = (0...generator.number(0...2)).map { _ in
                seen[generator.number(0...seen.count - 1)]
            }
            return .remove(field: field.number, Set(some).sorted())
        }
    }

    private mutating func value(_ field: RecordCollection.Field) -> Value {
        if generator.chance(5) { return .null }
        switch field.type {
        case .boolean: return .boolean(generator.chance(50))
        case .integer: return .integer(Int64(generator.number(0...9)))
        case .real: return .real(Double(generator.number(0...9)) / 2)
        case .text:
            let text = "\(generator.number(0...99))"
            return .text(generator.chance(10) ? String(repeating: "x", count: 21) : text)
        case .bytes: return .bytes(generator.bytes(generator.number(0...5)))
        case .key: return .bytes(people[generator.number(0...1)].person.bytes)
        case .blob: return .null
        case .texts: return .list((0..<generator.number(0...4)).map { .text("\($0)") })
        }
    }

    /// Cuts all logs into runs in a random order, some of them repeated, with erased batches
    /// sometimes without their bodies.
    func delivery(seed: UInt64) -> [(SpaceID, Run)] {
        var draw = SeededGenerator(seed: seed)
        var done = authors.map { _ in 0 }
        var delivered: [(SpaceID, Run)] = []
        while let index = authors.indices.filter({ done[$0] < authors[$0].batches.count })
            .randomElement(using: &draw)
        {
            let author = authors[index]
            let end = min(author.batches.count, done[index] + draw.number(1...4))
            let start = draw.chance(30) ? draw.number(0...done[index]) : done[index]
            let isShortened = isErasing && draw.chance(50)
            let run = author.run(start..<end) { isShortened && erased.contains($0.hash) }
            delivered.append((author.space, run))
            done[index] = end
            if draw.chance(20), let again = delivered.randomElement(using: &draw) {
                delivered.append(again)
            }
        }
        return delivered
    }
}
