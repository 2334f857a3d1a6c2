import Crypto
import Records
import TestSupport
import Testing

@Suite struct RunTests {
    /// A run drawn from a seed with its author's signature, and the values it was made from.
    private struct Drawn {
        let run: Run
        let space: SpaceID
        let previous: BatchHash
    }

    private func draw(
        seed: UInt64, branch: Bool = false, epoch: UInt64 = 0, batchesCount: Int = 4
    ) throws -> Drawn {
        var generator = SeededGenerator(seed: seed)
        let key = try Curve25519.Signing.PrivateKey(rawRepresentation: generator.bytes(32))
        let device = try #require(DeviceID(bytes: Array(key.publicKey.rawRepresentation)))
        let log = LogName(
            device: device, branch: branch ? BranchName(raw: generator.bytes32()) : .main)
        let space = SpaceID(raw: generator.bytes32())
        let firstNumber = UInt64(generator.number(1...1000))
        let previous = BatchHash(raw: generator.bytes32())
        let entities = generator.entities()
        var hash = previous
        var links: [Run.Link] = []
        var last: Signature?
        for index in 0..<batchesCount {
            let link = Run.Link(
                stamp: Stamp(Timestamp(milliseconds: 1_700_000_000_000 + Int64(index * 10))),
                body: generator.body(entities: entities))
            let made = try CheckedRun(
                authoring: try #require(link.body), in: space, log: log,
                number: firstNumber + UInt64(index), previous: hash, epoch: epoch, stamp: link.stamp
            ) { try #require(Signature(Array(try key.signature(for: $0)))) }
            hash = made.batches[0].hash
            last = made.signature
            links.append(link)
        }
        let run = Run(
            log: log, firstNumber: firstNumber, epoch: epoch, batches: links,
            signature: try #require(last))
        return Drawn(run: run, space: space, previous: previous)
    }

    private func encode(_ run: Run, sender: DeviceID) -> [UInt8] {
        var bytes: [UInt8] = []
        run.encode(into: &bytes, sender: sender)
        return bytes
    }

    private func decode(_ bytes: [UInt8], sender: DeviceID) throws(RecordFault) -> Run {
        var reader = ByteReader(bytes)
        let run = try Run(from: &reader, sender: sender)
        try reader.finish()
        return run
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a run is unchanged after encoding, from its author and from another device`(seed: UInt64)
        throws
    {
        let drawn = try draw(seed: seed, branch: seed.isMultiple(of: 2), epoch: seed % 3)
        let other = DeviceID(raw: .zero)
        for sender in [drawn.run.log.device, other] {
            #expect(try decode(encode(drawn.run, sender: sender), sender: sender) == drawn.run)
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `a run has one encoding`(seed: UInt64) throws {
        let drawn = try draw(
            seed: seed, branch: seed.isMultiple(of: 2), epoch: seed % 3, batchesCount: 2)
        let sender = seed < 3 ? drawn.run.log.device : DeviceID(raw: .zero)
        try expectCanonical(encode(drawn.run, sender: sender)) {
            encode(try decode($0, sender: sender), sender: sender)
        }
    }

    @Test func `one flipped bit anywhere in a run is refused`() throws {
        let sender = DeviceID(raw: .zero)
        let candidates = try (1...20).map {
            try draw(seed: $0, branch: true, epoch: 2, batchesCount: 2)
        }
        // The shortest run is used, because every bit costs a signature check.
        let drawn = try #require(
            candidates.min {
                encode($0.run, sender: sender).count < encode($1.run, sender: sender).count
            })
        let bytes = encode(drawn.run, sender: sender)
        #expect(throws: Never.self) {
            try decode(bytes, sender: sender).check(in: drawn.space, after: drawn.previous)
        }
        let accepted = (0..<bytes.count * 8).filter { bit in
            var flipped = bytes
            flipped[bit / 8] ^= 1 << (bit % 8)
            guard let run = try? decode(flipped, sender: sender) else { return false }
            return (try? run.check(in: drawn.space, after: drawn.previous)) != nil
        }
        #expect(accepted.isEmpty)
    }

    @Test func `a run is proven by its last signature and yields its batches`() throws {
        let drawn = try draw(seed: 12)
        let checked = try drawn.run.check(in: drawn.space, after: drawn.previous)
        #expect(checked.batches.count == 4)
        #expect(checked.batches.map(\.body) == drawn.run.batches.map(\.body))
        #expect(checked.batches[0].header.previous == drawn.previous)
        for (before, after) in zip(checked.batches, checked.batches.dropFirst()) {
            #expect(after.header.previous == before.hash)
        }
    }

    @Test func `a run of another space, position or author is refused`() throws {
        let drawn = try draw(seed: 13)
        let run = drawn.run
        let moved = Run(
            log: run.log, firstNumber: run.firstNumber + 1, epoch: run.epoch, batches: run.batches,
            signature: run.signature)
        let stolen = Run(
            log: LogName(device: DeviceID(raw: .zero)), firstNumber: run.firstNumber,
            epoch: run.epoch, batches: run.batches, signature: run.signature)
        #expect(throws: BatchFault.signatureMismatch) {
            try run.check(in: SpaceID(raw: .zero), after: drawn.previous)
        }
        #expect(throws: BatchFault.signatureMismatch) {
            try run.check(in: drawn.space, after: .none)
        }
        for other in [moved, stolen] {
            #expect(throws: BatchFault.signatureMismatch) {
                try other.check(in: drawn.space, after: drawn.previous)
            }
        }
    }

    /// Returns the run with some of its bodies erased.
    private func erasing(_ places: Set<Int>, of run: Run) -> Run {
        let links = run.batches.enumerated().map { index, link in
            places.contains(index)
                ? Run.Link(stamp: link.stamp, content: .erased(link.content.bodyHash)) : link
        }
        return Run(
            log: run.log, firstNumber: run.firstNumber, epoch: run.epoch, batches: links,
            signature: run.signature)
    }

    @Test(arguments: [[0], [3], [1, 2], [0, 1, 2, 3]] as [Set<Int>])
    func `a run whose bodies were erased is proven by the same signature`(
        erased: Set<Int>
    ) throws {
        let drawn = try draw(seed: 16)
        let run = erasing(erased, of: drawn.run)
        let sender = DeviceID(raw: .zero)
        let read = try decode(encode(run, sender: sender), sender: sender)
        #expect(read == run)
        let whole = try drawn.run.check(in: drawn.space, after: drawn.previous)
        let checked = try read.check(in: drawn.space, after: drawn.previous)
        #expect(checked.batches.map(\.header) == whole.batches.map(\.header))
        #expect(
            checked.batches.indices.filter { checked.batches[$0].body == nil }
                == erased.sorted())
        for batch in checked.batches {
            #expect(try BatchContent(decoding: batch.encodedContent) == batch.content)
        }
    }

    @Test func `a run with an erased body has one encoding`() throws {
        let run = erasing([1], of: try draw(seed: 17, batchesCount: 2).run)
        try expectCanonical(encode(run, sender: run.log.device)) {
            encode(try decode($0, sender: run.log.device), sender: run.log.device)
        }
    }

    @Test func `an erased body with another hash is refused`() throws {
        let drawn = try draw(seed: 18)
        var links = drawn.run.batches
        links[2] = Run.Link(stamp: links[2].stamp, content: .erased(.zero))
        let forged = Run(
            log: drawn.run.log, firstNumber: drawn.run.firstNumber, epoch: 0, batches: links,
            signature: drawn.run.signature)
        #expect(throws: BatchFault.signatureMismatch) {
            try forged.check(in: drawn.space, after: drawn.previous)
        }
    }

    @Test func `stamps that do not rise are refused`() throws {
        let run = try draw(seed: 14).run
        let same = Run(
            log: run.log, firstNumber: 1, epoch: 0, batches: [run.batches[0], run.batches[0]],
            signature: run.signature)
        #expect(throws: BatchFault.stampNotRising) {
            try same.check(in: SpaceID(raw: .zero), after: .none)
        }
    }

    @Test func `a stamp lower than the previous one cannot be encoded`() throws {
        let run = try draw(seed: 15, batchesCount: 1).run
        let sender = run.log.device
        var bytes = encode(run, sender: sender)
        // The difference is a varint of 64 bits, and no value of it leads to an earlier stamp.
        let spelling: [UInt8] = [UInt8](repeating: 0xff, count: 9) + [0x01]
        var delta: [UInt8] = []
        delta.append(varint: UInt64(run.batches[0].stamp.time.milliseconds))
        let place = try #require(bytes.firstRange(of: delta))
        bytes.replaceSubrange(place, with: spelling)
        #expect(throws: RecordFault.notCanonical("a stamp of 2⁶³ or more")) {
            try decode(bytes, sender: sender)
        }
    }

    @Test func `a run that was checked early is equal, and its check is kept`() throws {
        let drawn = try draw(seed: 31)
        let checked = try drawn.run.checked(in: drawn.space, after: drawn.previous)
        #expect(checked == drawn.run)
        let first = try drawn.run.check(in: drawn.space, after: drawn.previous)
        let again = try checked.check(in: drawn.space, after: drawn.previous)
        #expect(again.batches.map(\.hash) == first.batches.map(\.hash))
    }

    @Test func `a check that was made for another position has no effect`() throws {
        let drawn = try draw(seed: 32)
        let checked = try drawn.run.checked(in: drawn.space, after: drawn.previous)
        #expect(throws: BatchFault.signatureMismatch) {
            try checked.check(in: SpaceID(raw: .zero), after: drawn.previous)
        }
        #expect(throws: BatchFault.signatureMismatch) {
            try checked.check(in: drawn.space, after: .none)
        }
    }

    @Test func `a checker checks a log from its start and leaves a run without known predecessor`()
        throws
    {
        var log = try Chain(seed: 33)
        let runs = try (0..<3).map { _ in try log.run(batchesCount: 2) }
        var checker = RunChecker()
        #expect(runs.allSatisfy { checker.check($0, in: log.space) == $0 })
        let forged = Run(
            log: runs[0].log, firstNumber: 1, epoch: 0, batches: runs[1].batches,
            signature: runs[0].signature)
        #expect(checker.check(forged, in: log.space) == forged)
        #expect(throws: BatchFault.signatureMismatch) {
            try checker.check(forged, in: log.space).check(in: log.space, after: .none)
        }
        var late = RunChecker()
        #expect(late.check(runs[1], in: log.space) == runs[1])
    }

    /// A log from its first batch on, signed run by run.
    private struct Chain {
        let space: SpaceID
        private let key: Curve25519.Signing.PrivateKey
        private let log: LogName
        private var generator: SeededGenerator
        private var number: UInt64 = 0
        private var hash = BatchHash.none

        init(seed: UInt64) throws {
            generator = SeededGenerator(seed: seed)
            key = try Curve25519.Signing.PrivateKey(rawRepresentation: generator.bytes(32))
            log = LogName(
                device: try #require(DeviceID(bytes: Array(key.publicKey.rawRepresentation))))
            space = SpaceID(raw: generator.bytes32())
        }

        mutating func run(batchesCount: Int) throws -> Run {
            let first = number + 1
            var links: [Run.Link] = []
            var signature: Signature?
            for _ in 0..<batchesCount {
                number += 1
                let stamp = Stamp(Timestamp(milliseconds: 1_700_000_000_000 + Int64(number)))
                let body = generator.body(entities: generator.entities())
                let made = try CheckedRun(
                    authoring: body, in: space, log: log, number: number, previous: hash,
                    epoch: 0, stamp: stamp
                ) { [key] in try #require(Signature(Array(try key.signature(for: $0)))) }
                (hash, signature) = (made.batches[0].hash, made.signature)
                links.append(Run.Link(stamp: stamp, body: body))
            }
            return Run(
                log: log, firstNumber: first, epoch: 0, batches: links,
                signature: try #require(signature))
        }
    }
}
