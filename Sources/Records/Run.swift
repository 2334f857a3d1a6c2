/// Consecutive batches of one log as they arrive: decoded, not yet checked.
///
/// One signature, the last batch's, vouches for all of them: the chain of hashes proves the rest.
public struct Run: Sendable {
    public let log: LogName
    /// The number of the first batch.
    public let firstNumber: UInt64
    /// The membership epoch that all of the batches share.
    public let epoch: UInt64
    /// The batches in order, at least one, their stamps rising.
    public let batches: [Link]
    /// Of the last batch.
    public let signature: Signature
    /// What a check has found, kept so that it need not be made again; see ``checked(in:after:)``.
    private var checked: CheckedRun?

    /// What a run carries of one batch; the rest of its header follows from its place.
    public struct Link: Hashable, Sendable {
        public let stamp: Stamp
        /// The operations, or the hash of those that were erased.
        public let content: BatchContent

        /// The operations, or nil where they were erased.
        public var body: BatchBody? { content.body }

        /// Joins a batch's time and operations.
        public init(stamp: Stamp, body: BatchBody) {
            self.init(stamp: stamp, content: .body(body))
        }

        /// Joins a batch's time and what is here of its operations.
        public init(stamp: Stamp, content: BatchContent) {
            self.stamp = stamp
            self.content = content
        }
    }

    /// Joins the parts of a run; `batches` is not empty.
    public init(
        log: LogName, firstNumber: UInt64, epoch: UInt64, batches: [Link], signature: Signature
    ) {
        precondition(!batches.isEmpty, "a run carries at least one batch")
        self.log = log
        self.firstNumber = firstNumber
        self.epoch = epoch
        self.batches = batches
        self.signature = signature
    }

    /// The number of the last batch.
    public var lastNumber: UInt64 { firstNumber + UInt64(batches.count - 1) }

    /// Follows the chain from the batch before and proves it with the signature.
    /// - Parameter previous: the hash of batch `firstNumber − 1`; ``BatchHash/none`` before 1.
    /// - Throws: ``BatchFault``, in the order stamps, signature.
    public func check(
        in space: SpaceID, after previous: BatchHash
    ) throws(BatchFault) -> CheckedRun {
        if let checked, let first = checked.batches.first?.header, first.space == space,
            first.previous == previous
        {
            return checked
        }
        let batches = try chained(in: space, after: previous)
        let signed = BatchHeader.signedBytes(of: batches[batches.count - 1].hash)
        guard signature.verifies(signed, by: log.device.raw) else { throw .signatureMismatch }
        return CheckedRun(batches: batches, signature: signature)
    }

    /// The same run with what its check finds, so that whoever has the time may check it before
    /// its turn comes. A check that follows on another batch or in another space is made anew.
    /// - Throws: as ``check(in:after:)``.
    public func checked(
        in space: SpaceID, after previous: BatchHash
    ) throws(BatchFault) -> Run {
        var run = self
        run.checked = try check(in: space, after: previous)
        return run
    }

    private func chained(
        in space: SpaceID, after previous: BatchHash
    ) throws(BatchFault) -> [CheckedBatch] {
        var chained: [CheckedBatch] = []
        chained.reserveCapacity(batches.count)
        var hash = previous
        var encoded: [UInt8] = []
        encoded.reserveCapacity(BatchHeader.encodedBytesCount)
        for (index, link) in batches.enumerated() {
            if let last = chained.last, link.stamp <= last.header.stamp { throw .stampNotRising }
            let header = BatchHeader(
                space: space, log: log, number: firstNumber + UInt64(index), previous: hash,
                epoch: epoch, stamp: link.stamp, bodyHash: link.content.bodyHash)
            encoded.removeAll(keepingCapacity: true)
            header.encode(into: &encoded)
            hash = BatchHash(raw: Digest.header.hash(encoded))
            chained.append(CheckedBatch(header: header, hash: hash, content: link.content))
        }
        return chained
    }
}

extension Run: Hashable {
    /// Runs are equal when they say the same, checked or not.
    public static func == (left: Run, right: Run) -> Bool {
        left.log == right.log && left.firstNumber == right.firstNumber
            && left.epoch == right.epoch && left.batches == right.batches
            && left.signature == right.signature
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(log)
        hasher.combine(firstNumber)
        hasher.combine(batches)
    }
}

/// A batch whose chain and author are proven. Storage takes nothing else.
public struct CheckedBatch: Sendable {
    public let header: BatchHeader
    public let hash: BatchHash
    /// The operations, or the hash of those that were erased.
    public let content: BatchContent

    /// The operations, or nil where they were erased.
    public var body: BatchBody? { content.body }

    /// The content as it is stored; a body is hashed as it is stored.
    public var encodedContent: [UInt8] { content.encoded }

    /// The same batch after its body was erased.
    public var erased: CheckedBatch {
        CheckedBatch(header: header, hash: hash, content: .erased(header.bodyHash))
    }
}

/// A run whose chain and author are proven.
public struct CheckedRun: Sendable {
    /// At least one batch.
    public let batches: [CheckedBatch]
    /// Of the last batch.
    public let signature: Signature

    /// Signs one's own next batch, which is checked by being made here.
    /// - Throws: ``BatchFault/tooLong(bytes:limit:)``,
    ///   ``BatchFault/tooManyOperations(count:limit:)``, or the ``RecordFault`` for which every
    ///   other replica would refuse this body.
    public init(
        authoring body: BatchBody, in space: SpaceID, log: LogName, number: UInt64,
        previous: BatchHash, epoch: UInt64, stamp: Stamp, sign: ([UInt8]) throws -> Signature
    ) throws {
        guard body.encoded.count <= Limits.batchBodyBytesMax else {
            throw BatchFault.tooLong(bytes: body.encoded.count, limit: Limits.batchBodyBytesMax)
        }
        guard body.operations.count <= Limits.batchOperationsMax else {
            throw BatchFault.tooManyOperations(
                count: body.operations.count, limit: Limits.batchOperationsMax)
        }
        // A batch that nobody else can read would end this log for ever: it is read here first.
        guard try BatchBody(decoding: body.encoded) == body else {
            throw RecordFault.notCanonical("a batch of one's own")
        }
        let header = BatchHeader(
            space: space, log: log, number: number, previous: previous, epoch: epoch, stamp: stamp,
            bodyHash: Digest.body.hash(body.encoded))
        let hash = header.hash
        batches = [CheckedBatch(header: header, hash: hash, content: .body(body))]
        signature = try sign(BatchHeader.signedBytes(of: hash))
    }

    init(batches: [CheckedBatch], signature: Signature) {
        self.batches = batches
        self.signature = signature
    }
}
