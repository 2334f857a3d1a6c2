internal import Foundation
internal import Identity
internal import Records
internal import Replica
internal import TestSupport

/// The requests of a node to its replica during some days, drawn from a seed.
///
/// They are performed once as they are drawn, because the mate's batches depend on earlier ones.
struct Workload {
    let cast: Cast
    private(set) var steps: [Step] = []

    private var generator: SeededGenerator
    private var wallTime = Timestamp(milliseconds: 1_700_000_000_000)
    private var mine: Subject
    private let mate: Replica
    private var notes: [SpaceID: [EntityID]] = [:]
    /// My photos that were not deleted.
    private var photos: [SpaceID: [EntityID]] = [:]
    private var mateReach: UInt64 = 0
    private let entryBytesMax: Int

    /// - Parameters:
    ///   - stepCount: the number of steps after those of the first start.
    ///   - scratch: a directory for the replicas of the drawing, which are removed afterwards.
    init(
        seed: UInt64, stepCount: Int, entryBytesMax: Int = 12_000, scratch: String
    ) async throws {
        let home = Directory(scratch + "/drawing")
        cast = try Cast(seed: seed)
        generator = SeededGenerator(seed: seed ^ 0x5745_4554)
        self.entryBytesMax = entryBytesMax
        mine = Subject(cast, in: try home.make("mine"))
        mate = try cast.replica(in: try home.make("mate"), of: cast.mateKey)
        try await mate.learn(cast.mate)
        try await mate.learn(cast.me)
        try await mate.open(cast.pair)
        try mine.open()
        for action: Step.Action in [
            .learn(cast.me), .learn(cast.mate), .open(cast.own), .open(cast.pair),
        ] { try await add(action) }
        for _ in 0..<stepCount { try await drawStep() }
        try await mine.close()
        try await mate.close()
        home.remove()
    }

    /// A wall time after all steps.
    var end: Timestamp { wallTime + .seconds(1) }

    private mutating func drawStep() async throws {
        switch generator.number(1...100) {
        case ...32: try await drawBatch()
        case ...42: try await drawPhoto()
        case ...62: try await drawMerge()
        case ...67: try await drawFetch()
        case ...75: try await drawAcknowledgement()
        case ...80: try await add(.read)
        case ...87: try await add(.rebuild(generator.chance(50) ? cast.own : cast.pair))
        case ...93:
            wallTime = wallTime + .seconds(26 * 3600)
            try await add(.releaseDue)
        default: try await add(.restart)
        }
    }

    private mutating func add(_ action: Step.Action) async throws {
        wallTime = wallTime + .milliseconds(generator.number(1...2000))
        let step = Step(action: action, wallTime: wallTime)
        try await mine.perform(step)
        steps.append(step)
    }

    // MARK: My own batches

    private mutating func drawBatch() async throws {
        let space = generator.chance(40) ? cast.own : cast.pair
        let edits = (0..<generator.number(1...3)).map { _ in drawEdit(in: space, by: cast.key.id) }
        do {
            try await add(.author(edits, in: space))
        } catch is EditFault {
            // The removed tag was never added.
        }
    }

    /// Draws a photo of mine, and sometimes deletes an earlier one.
    private mutating func drawPhoto() async throws {
        let space = generator.chance(40) ? cast.own : cast.pair
        if let old = photos[space.id]?.popLast(), generator.chance(50) {
            let erase = Edit.erase(collection: RecordCollection.photo.name, entity: old)
            return try await add(.author([erase], in: space))
        }
        let content = drawContent()
        try await add(.put(content, in: space))
        let (nonce, edit) = drawPhoto(of: content)
        try await add(.author([edit], in: space))
        photos[space.id, default: []].append(
            Operation.entity(
                in: space.id, of: RecordCollection.photo.id, by: cast.key.id, nonce: nonce))
    }

    private mutating func drawContent() -> [UInt8] {
        generator.bytes(generator.number(1...entryBytesMax * 8))
    }

    private mutating func drawPhoto(of content: [UInt8]) -> (Bytes16, Edit) {
        let nonce = drawNonce()
        let blob = Blob(of: content, kind: RecordCollection.photoKind)
        return (
            nonce,
            .create(
                collection: RecordCollection.photo.name, nonce: nonce,
                fields: ["photo": blob?.value ?? .null])
        )
    }

    private mutating func drawEdit(in space: SpaceDescriptor, by device: DeviceID) -> Edit {
        if generator.chance(25) { return drawEntry() }
        guard let known = notes[space.id], generator.chance(70) else {
            return drawNote(in: space, by: device)
        }
        let note = known[generator.number(0...known.count - 1)]
        let name = RecordCollection.note.name
        let text = Value.text("\(generator.number(0...99))")
        switch generator.number(0...4) {
        case 0: return .set(collection: name, entity: note, fields: ["title": text])
        case 1: return .set(collection: name, entity: note, fields: ["first": text])
        case 2: return .add(collection: name, entity: note, field: "tags", drawTag())
        case 3: return .remove(collection: name, entity: note, field: "tags", drawTag())
        default:
            let steps = Int64(generator.number(-9...9))
            return .count(collection: name, entity: note, field: "walks", by: steps)
        }
    }

    private mutating func drawTag() -> Value { .text("tag \(generator.number(0...3))") }

    private mutating func drawNonce() -> Bytes16 {
        guard let nonce = Bytes16(generator.bytes(16)) else {
            preconditionFailure("a nonce has 16 bytes")
        }
        return nonce
    }

    private mutating func drawEntry() -> Edit {
        let bytes = generator.bytes(generator.number(1...entryBytesMax))
        return .create(
            collection: RecordCollection.entry.name, nonce: drawNonce(),
            fields: ["body": .bytes(bytes)])
    }

    private mutating func drawNote(in space: SpaceDescriptor, by device: DeviceID) -> Edit {
        let nonce = drawNonce()
        notes[space.id, default: []].append(
            Operation.entity(
                in: space.id, of: RecordCollection.note.id, by: device, nonce: nonce))
        return .create(
            collection: RecordCollection.note.name, nonce: nonce,
            fields: ["title": .text("\(generator.number(0...99))")])
    }

    // MARK: The mate's batches

    /// Draws whether the mate reads my batches, and the mate's edits, sometimes with a clock far
    /// ahead.
    private mutating func drawMerge() async throws {
        if generator.chance(60) { try await showMate() }
        let isAhead = generator.chance(15)
        let wall = wallTime + (isAhead ? .seconds(25 * 3600) : .zero)
        for _ in 0..<generator.number(1...4) {
            do {
                _ = try await mate.author(
                    [drawEdit(in: cast.pair, by: cast.mateKey.id)], in: cast.pair.id,
                    wallTime: wall)
            } catch is EditFault {
                // The mate does not know the record yet that it would write.
            }
        }
        try await addMerge()
    }

    /// Draws a photo of the mate's that I look at.
    private mutating func drawFetch() async throws {
        let content = drawContent()
        _ = try await mate.put(
            content, kind: RecordCollection.photoKind, in: cast.pair.id, wallTime: wallTime)
        let (_, edit) = drawPhoto(of: content)
        _ = try await mate.author([edit], in: cast.pair.id, wallTime: wallTime)
        while try await addMerge() {}
        try await add(.fetch(content))
    }

    /// - Returns: false if the mate has written nothing new.
    @discardableResult
    private mutating func addMerge() async throws -> Bool {
        let log = LogName(device: cast.mateKey.id)
        guard
            let run = try await mate.runs(
                in: cast.pair.id, log: log, after: mateReach, bytesMax: 60_000)
        else { return false }
        mateReach = run.lastNumber
        try await add(.merge(run))
        return true
    }

    private mutating func showMate() async throws {
        let log = LogName(device: cast.key.id)
        let heads = await mate.heads(in: cast.pair.id)
        var reached = heads.first { $0.log == log }?.high ?? 0
        while let run = try await mine.replica?.runs(
            in: cast.pair.id, log: log, after: reached, bytesMax: 60_000)
        {
            reached = run.lastNumber
            _ = try await mate.merge([(cast.pair.id, run)], wallTime: wallTime)
        }
    }

    private mutating func drawAcknowledgement() async throws {
        let log = LogName(device: cast.key.id)
        guard let head = await mate.heads(in: cast.pair.id).first(where: { $0.log == log }) else {
            return try await drawBatch()
        }
        try await add(
            .acknowledge(
                LogReach(log: log, number: head.high, prefix: head.headHash.prefix)))
    }
}
