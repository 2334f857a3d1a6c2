internal import Identity
internal import Records
internal import TestSupport

/// Logs of several devices that write to the notes of one space at random, including invalid
/// writes. The devices' clocks are independent: stamps collide, and writes refer to notes and dots
/// whose batches may arrive later.
struct LawHistory {
    /// The log of one device.
    struct Log {
        let key: DeviceKey
        let person: PersonID
        var batches: [CheckedBatch] = []
        var signatures: [Signature] = []
        var clock = 0

        /// Returns the batches with these indexes as a run.
        func run(_ range: Range<Int>) -> Run {
            Run(
                log: LogName(device: key.id), firstNumber: UInt64(range.lowerBound + 1), epoch: 0,
                batches: batches[range].map {
                    Run.Link(stamp: $0.header.stamp, content: $0.content)
                },
                signature: signatures[range.upperBound - 1])
        }
    }

    let space: SpaceDescriptor
    private(set) var logs: [Log]
    /// The devices that their persons removed, and how many of their batches the cuts let count.
    private(set) var counted: [DeviceID: Int] = [:]
    private var draw: NoteDraw
    private var notes: [EntityID] = []
    private var dots: [Dot] = []

    /// Draws a history of a space by the devices of some people.
    init(
        in space: SpaceDescriptor, by people: [Person], among all: [Person],
        using chance: inout SeededGenerator
    ) throws {
        self.space = space
        logs = people.flatMap { person in
            person.devices.map { Log(key: $0, person: person.id) }
        }
        draw = NoteDraw(people: all.map(\.id), chance: chance)
        let removing = people.filter { $0.afterRemoval != nil }
        for _ in 0..<draw.chance.number(6...18) { try write(removing) }
        for person in removing { try remove(person) }
        chance = draw.chance
    }

    /// All batches that count, in an arbitrary order.
    var batches: [ReferenceModel.Batch] {
        logs.flatMap { log in
            log.batches.prefix(counted[log.key.id] ?? log.batches.count)
                .map { ReferenceModel.Batch($0, of: $0.header.log, person: log.person) }
        }
    }

    private mutating func write(_ removing: [Person]) throws {
        let index = draw.chance.number(0...logs.count - 1)
        let log = logs[index]
        logs[index].clock += draw.chance.number(1...3)
        // A few logs end with batches that are dated far ahead, but not those with a cut to come.
        let isFar = draw.chance.chance(3)
        let cuts = removing.contains { $0.devices[0].id == log.key.id }
        if isFar, !cuts { logs[index].clock += MergeLaws.farMilliseconds }
        var operations: [Operation] = []
        for _ in 0..<draw.chance.number(1...4) { operations += some(log) }
        if let person = removing.first(where: { $0.devices[1].id == log.key.id }),
            draw.chance.chance(20)
        {
            operations.append(theft(of: person))
        }
        try append(operations, to: index)
    }

    /// The cut by which a device, before its removal, ends the other device's log, and means to
    /// keep its own open.
    private func theft(of person: Person) -> Operation {
        let heads = person.devices.map {
            LogHead(
                log: LogName(device: $0.id), number: $0.id == person.devices[0].id ? 1 : 900,
                hash: .none)
        }
        return Operation(control: .cut(person.id, heads.sorted()))
    }

    /// Ends the log of a person's second device, as the first one does.
    private mutating func remove(_ person: Person) throws {
        guard let first = logs.firstIndex(where: { $0.key.id == person.devices[0].id }),
            let log = logs.first(where: { $0.key.id == person.devices[1].id })
        else { return }
        let count = draw.chance.number(0...log.batches.count)
        let name = LogName(device: log.key.id)
        let head =
            count == 0
            ? LogHead(log: name, number: 1, hash: .none)
            : LogHead(log: name, number: UInt64(count), hash: log.batches[count - 1].hash)
        counted[log.key.id] = count
        logs[first].clock += 1
        try append([Operation(control: .cut(person.id, [head]))], to: first)
    }

    private mutating func append(_ operations: [Operation], to index: Int) throws {
        let log = logs[index]
        let run = try CheckedRun(
            authoring: BatchBody(operations), in: space.id, log: LogName(device: log.key.id),
            number: UInt64(log.batches.count + 1), previous: log.batches.last?.hash ?? .none,
            epoch: 0, stamp: Stamp(World.epoch + .milliseconds(logs[index].clock)),
            sign: log.key.sign)
        logs[index].batches += run.batches
        logs[index].signatures.append(run.signature)
        for (place, operation) in operations.enumerated() {
            guard case .add = operation.action, let batch = run.batches.first else { continue }
            dots.append(Dot(batch: batch.hash, operationIndex: place))
        }
    }

    private mutating func some(_ log: Log) -> [Operation] {
        guard !notes.isEmpty, !draw.chance.chance(20) else {
            let create = create(log)
            notes.append(create.entity)
            return [create] + (0...2).map { _ in draw.operation(on: create.entity, dots: dots) }
        }
        return [draw.operation(on: notes[draw.chance.number(0...notes.count - 1)], dots: dots)]
    }

    /// Draws the creation of a note. There are few notes, so that devices create the same one, and
    /// some belong to other devices.
    private mutating func create(_ log: Log) -> Operation {
        let collection = RecordCollection.simulatedNote.id
        guard draw.chance.chance(30) else {
            let owner = draw.chance.chance(90) ? log.person : draw.people[0]
            return Operation(
                collection: collection,
                entity: Operation.ownEntity(in: space.id, of: collection, person: owner),
                action: .createOwn)
        }
        let nonce =
            Bytes16([UInt8](repeating: UInt8(draw.chance.number(0...1)), count: 16)) ?? .zero
        let device = draw.chance.chance(90) ? log.key.id : logs[0].key.id
        return Operation(
            collection: collection,
            entity: Operation.entity(in: space.id, of: collection, by: device, nonce: nonce),
            action: .create(nonce: nonce))
    }

    /// Divides the logs into runs in a random order; some runs occur several times.
    func delivery(using chance: inout SeededGenerator) -> [(SpaceID, Run)] {
        var done = logs.map { _ in 0 }
        var delivered: [(SpaceID, Run)] = []
        while let index = logs.indices.filter({ done[$0] < logs[$0].batches.count })
            .randomElement(using: &chance)
        {
            let end = min(logs[index].batches.count, done[index] + chance.number(1...4))
            let start = chance.chance(20) ? chance.number(0...done[index]) : done[index]
            delivered.append((space.id, logs[index].run(start..<end)))
            done[index] = end
            if chance.chance(10), let again = delivered.randomElement(using: &chance) {
                delivered.append(again)
            }
        }
        return delivered
    }
}
