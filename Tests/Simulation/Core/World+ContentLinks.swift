internal import Identity
internal import Records
internal import Replica
internal import Sync
internal import TestSupport

// The answers to requests for content, and the lies about it.
extension World {
    /// Queues a request, which is answered when its person's allowance permits.
    /// - Throws: ``SyncFault/tooManyRequests``.
    func receive(_ request: ContentRequest, _ link: Int, _ end: Int) throws {
        guard let state = links[link] else { return }
        guard state.ends[end].contentRequests.count < ContentAllowance.requestsMax else {
            throw SyncFault.tooManyRequests
        }
        state.ends[end].contentRequests.append(request)
        if state.ends[end].contentRequests.count == 1 { planAnswer(link, end) }
    }

    private func planAnswer(_ link: Int, _ end: Int) {
        guard let (node, peer) = parties(link, end) else { return }
        let person = nodes[peer].person
        let pause = nodes[node].allowances[person, default: ContentAllowance()]
            .spend(uptime: uptime)
        plan(.photo(.answer(link: link, end: end)), after: pause.milliseconds)
    }

    /// Answers the oldest request of a link.
    func answerNext(_ link: Int, _ end: Int) async throws {
        guard parties(link, end) != nil, let state = links[link],
            !state.ends[end].contentRequests.isEmpty
        else { return }
        let request = state.ends[end].contentRequests.removeFirst()
        let space = state.ends[end].session.space(ofChannel: request.channel)
        put(.content(request, space), link, end)
        if !state.ends[end].contentRequests.isEmpty { planAnswer(link, end) }
    }

    /// Sends the answer to a request. A peer gets the same bytes whether a space, a blob or a piece
    /// does not exist, is not open to it, or is not here.
    func answer(
        _ request: ContentRequest, of space: SpaceID?, _ link: Int, _ end: Int
    ) async throws {
        guard let (node, peer) = parties(link, end), let replica = nodes[node].replica,
            let state = links[link]
        else { return }
        var piece: [UInt8]?
        if let space, state.ends[end].session.sharedSpaces.contains(space) {
            piece = try await replica.piece(of: request.hash, in: space, from: request.offset)
            if piece != nil { try checkOpened(request.hash, in: space, from: node, to: peer) }
        }
        let answer = piece.map { Message.piece(ContentPiece(request: request, bytes: $0)) }
        guard nodes[node].isLiar, !isCalm, photoChance.chance(50) else {
            tally.count(piece == nil ? "requests not met" : "pieces sent")
            return send(answer ?? .lacking(request), link, end)
        }
        tally.count("false answers")
        if let answer = falseAnswer(to: request, piece) { send(answer, link, end) }
    }

    /// Kinds of false answers.
    private enum FalseAnswer: Int, CaseIterable {
        /// No answer at all.
        case silence
        /// The answer that there is no such content.
        case lacking
        /// A piece with one changed byte.
        case changed
        /// A piece with one byte too many.
        case longer
        /// A piece with one byte too few.
        case shorter
        /// A piece of bytes that were never content.
        case invented
        /// A piece of another place.
        case elsewhere
    }

    private func falseAnswer(to request: ContentRequest, _ piece: [UInt8]?) -> Message? {
        var bytes = piece ?? photoChance.bytes(photoChance.number(2...200))
        var answered = request
        switch FalseAnswer.allCases[photoChance.number(0...FalseAnswer.allCases.count - 1)] {
        case .silence: return nil
        case .lacking: return .lacking(request)
        case .changed:
            bytes[photoChance.number(0...bytes.count - 1)] ^= UInt8(photoChance.number(1...255))
        case .longer: bytes.append(0)
        case .shorter: bytes.removeLast()
        case .invented: bytes = photoChance.bytes(Limits.blobPieceBytes)
        case .elsewhere: answered.offset += Limits.blobPieceBytes
        }
        return .piece(ContentPiece(request: answered, bytes: bytes))
    }

    // MARK: A stranger who knows a hash

    /// Lets the liar ask for content that is not open to it, on every channel of a link; sometimes
    /// it first writes a record of its own that names the content.
    func pry() async throws {
        plan(.photo(.pry), after: Int64(photoChance.number(10_000...120_000)))
        guard !isCalm, let liar = nodes.firstIndex(where: \.isLiar), nodes[liar].replica != nil,
            let hash = closedContent().randomElement(using: &photoChance),
            let (_, link) = nodes[liar].links.sorted(by: { $0.key < $1.key })
                .randomElement(using: &photoChance),
            let end = links[link]?.end(of: liar), parties(link, end) != nil
        else { return }
        if photoChance.chance(50) { try await claim(hash, link, end) }
        let count = links[link]?.ends[end].channels.count ?? 0
        let offset = photoChance.chance(80) ? 0 : Limits.blobPieceBytes
        for channel in 0...min(count, ContentAllowance.requestsMax / 2) {
            tally.count("requests for closed content")
            send(
                .want(ContentRequest(channel: UInt64(channel), hash: hash, offset: offset)), link,
                end)
        }
    }

    /// Returns the content that the liar can get from nobody: it is only in spaces of one or two
    /// other people.
    private func closedContent() -> [BlobHash] {
        guard let liar = nodes.first(where: \.isLiar)?.person else { return [] }
        let others = society.people.indices.filter { $0 != liar }
        let closed = Set(
            others.flatMap { person in
                spaces(of: person).filter { space in
                    switch space {
                    case .own: true
                    case .pair: !society.mayHold(space, liar)
                    default: false
                    }
                }.map(\.id)
            })
        return photos.hashes.filter { hash in
            photos.photos[hash]?.spaces.keys.allSatisfy { closed.contains($0) } ?? false
        }
    }

    /// Writes a record in the liar's name that names content which is not open to it, in a space of
    /// the liar and the peer.
    private func claim(_ hash: BlobHash, _ link: Int, _ end: Int) async throws {
        guard let (liar, peer) = parties(link, end), let replica = nodes[liar].replica,
            let blob = photos.photos[hash]?.blob
        else { return }
        let me = society.people[nodes[liar].person].id
        let pair = SpaceDescriptor.between(me, society.people[nodes[peer].person].id)
        guard nodes[liar].mates.contains(nodes[peer].person) else { return }
        try await replica.open(pair)
        let log = LogName(device: nodes[liar].device)
        let head = await replica.heads(in: pair.id).first { $0.log == log }
        let (collection, nonce) = (RecordCollection.simulatedPhoto.id, photoChance.nonce())
        let entity = Operation.entity(in: pair.id, of: collection, by: log.device, nonce: nonce)
        let operations = [
            Operation(collection: collection, entity: entity, action: .create(nonce: nonce)),
            Operation(
                collection: collection, entity: entity, action: .set(field: 1, blob.value)),
        ]
        let merged = nodes[liar].merged[pair.id]?.time ?? .min
        let run = try CheckedRun(
            authoring: BatchBody(operations), in: pair.id, log: log,
            number: (head?.high ?? 0) + 1, previous: head?.headHash ?? .none, epoch: 0,
            stamp: Stamp(max(wall(liar), merged + .milliseconds(1))),
            sign: nodes[liar].key.sign)
        photos.steal(hash)
        tally.count("records that name closed content")
        try await keepOwn(run, in: pair.id, at: liar)
    }
}
