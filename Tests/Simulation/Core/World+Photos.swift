internal import Records
internal import Replica
internal import Sync
internal import TestSupport

/// An event about content.
enum PhotoEvent {
    /// A node puts content and writes a record that names it.
    case post(Int)
    /// Each node gives up devices that send nothing, and looks for what it lacks.
    case tend
    /// An end of a link answers its oldest request.
    case answer(link: Int, end: Int)
    /// The liar asks for content that is not open to it.
    case pry
}

// Content: put beside records, and fetched by the members of their spaces. The processing is as in
// `Node`: ``ContentFetching`` decides, and this code performs its effects.
extension World {
    /// The pause between two looks at the content that is under way.
    private static let tendPause: Int64 = 5000
    /// The number of these after which a node looks for all content that it lacks.
    private static let tendsPerLook = 24
    /// The time after which content is tried again that could not be stored.
    private static let postponement: Duration = .seconds(60)

    /// The time since the start of the run.
    var uptime: Duration { .milliseconds(now) }

    /// Lets an event about content happen.
    func happen(_ event: PhotoEvent) async throws {
        switch event {
        case .post(let node): try await post(at: node)
        case .tend: try await tendContent()
        case .answer(let link, let end): try await answerNext(link, end)
        case .pry: try await pry()
        }
    }

    // MARK: Putting

    /// Puts content, and writes a record that names it.
    private func post(at node: Int) async throws {
        guard !isCalm, let replica = nodes[node].replica else { return }
        let me = society.people[nodes[node].person].id
        let mates = nodes[node].mates.sorted().map { society.people[$0].id }
        let private_ = [SpaceDescriptor.own(me), .card(me)] + mates.map { .between(me, $0) }
        let groups = nodes[node].groups.keys.sorted { $0.id < $1.id }
        let again = photoChance.chance(15) ? known(to: node) : nil
        let spaces = again == nil ? private_ + groups : private_
        let space = spaces[
            max(photoChance.number(0...spaces.count - 1), photoChance.number(0...spaces.count - 1))]
        guard try await isSettled(space, at: node) else { return }
        try await replica.open(space)
        let content = again?.content ?? drawContent()
        let blob = try await replica.put(
            content, kind: RecordCollection.simulatedKind, in: space.id, wallTime: wall(node))
        photos.put(content, blob, in: space.id, at: node)
        tally.count("contents put")
        trace.record(now, "puts \(node) \(blob.bytesCount)", blob.hash.bytes)
        guard again != nil || !photoChance.chance(10) else {
            photos.leaveUnnamed(blob.hash)
            tally.count("crashes between content and record")
            return try crash(node)
        }
        try await name(blob, in: space, at: node)
    }

    private func name(
        _ blob: Blob, in space: SpaceDescriptor, at node: Int
    ) async throws {
        guard let replica = nodes[node].replica else { return }
        let record = Edit.create(
            collection: RecordCollection.simulatedPhoto.name, nonce: photoChance.nonce(),
            fields: ["photo": blob.value])
        do {
            let commit = try await replica.author([record], in: space.id, wallTime: wall(node))
            guard let entity = commit.created.first else { return }
            photos.name(
                blob.hash,
                by: PhotoBook.Record(
                    space: space.id, entity: entity, log: commit.log, number: commit.number,
                    batch: commit.hash))
            try await authored(commit, at: node)
        } catch is EditFault {
            photos.leaveUnnamed(blob.hash)
        } catch is BatchFault {
            photos.leaveUnnamed(blob.hash)
        }
    }

    /// Returns content that a node's own device put before, and that a record names.
    private func known(to node: Int) -> PhotoBook.Photo? {
        photos.hashes.compactMap { photos.photos[$0] }.filter { photo in
            !photo.isStolen && !photo.isUnnamed && photo.records.allSatisfy { $0.erasedBy == nil }
                && photo.spaces.values.contains { $0.contains(node) }
        }.randomElement(using: &photoChance)
    }

    /// Draws content of up to five pieces; often its length is at a limit.
    private func drawContent() -> [UInt8] {
        let piece = Limits.blobPieceBytes
        let lengths = [
            photoChance.number(64...2000), photoChance.number(64...2000), piece, piece + 1,
            photoChance.number(piece...5 * piece),
        ]
        return photoChance.bytes(lengths[photoChance.number(0...lengths.count - 1)])
    }

    // MARK: Looking

    private func tendContent() async throws {
        plan(.photo(.tend), after: World.tendPause)
        tendsCount += 1
        for node in nodes.indices where nodes[node].replica != nil {
            nodes[node].content.checkProgress(now: uptime)
            if tendsCount % World.tendsPerLook == 0 { nodes[node].isLookDue = true }
            if nodes[node].isLookDue { try await look(node) }
            try await fetchContent(node)
        }
    }

    /// Wants the content that a node's person looks at and that is not here.
    private func look(_ node: Int) async throws {
        guard let replica = nodes[node].replica else { return }
        nodes[node].isLookDue = false
        for row in try await replica.photos() where isLookedAt(row, by: node) {
            guard case .missing = try await replica.arrivedBytes(of: row.blob, in: row.space)
            else { continue }
            nodes[node].content.want(.init(space: row.space, blob: row.blob))
        }
        for (space, blob) in try await replica.missingOwnContent(
            countMax: ContentFetching.wantedMax)
        {
            nodes[node].content.want(.init(space: space, blob: blob))
        }
    }

    /// Whether a node's person looks at a photo: three of four people do at each. Own content is
    /// fetched anyway.
    func isLookedAt(_ row: PhotoRow, by node: Int) -> Bool {
        let person = nodes[node].person
        guard row.creator != society.people[person].id else { return false }
        return (Int(row.blob.hash.bytes[0]) + 5 * person) % 4 != 0
    }

    // MARK: Fetching

    /// Begins to fetch the next wanted content, as much as may be fetched at a time.
    func fetchContent(_ node: Int) async throws {
        while let replica = nodes[node].replica {
            var content = nodes[node].content
            let choice = content.choose(now: uptime) { contentSources(of: $0.space, at: node) }
            nodes[node].content = content
            guard let choice else { return }
            let wanted = choice.wanted
            switch try await replica.arrivedBytes(of: wanted.blob, in: wanted.space) {
            case .missing(let arrivedBytes):
                if arrivedBytes > 0 { tally.count("fetches resumed") }
                let effects = nodes[node].content.begin(
                    choice, arrivedBytes: arrivedBytes, now: uptime)
                try await perform(effects, at: node)
            case .isHere, .notNamed: nodes[node].content.remove(wanted)
            case .noRoom:
                nodes[node].content.postpone(wanted, until: uptime + World.postponement)
            }
        }
    }

    /// Returns the linked devices that share a space, in a fixed order.
    private func contentSources(of space: SpaceID, at node: Int) -> [DeviceID] {
        nodes[node].links.compactMap { peer, link in
            guard let state = links[link],
                state.ends[state.end(of: node)].session.commonSpaces.contains(space)
            else { return nil }
            return nodes[peer].device
        }.sorted()
    }

    private func perform(_ effects: [ContentFetching.Effect], at node: Int) async throws {
        guard let replica = nodes[node].replica else { return }
        for effect in effects {
            switch effect {
            case .ask(let device, let wanted, let offset):
                guard let peer = nodes.firstIndex(where: { $0.device == device }),
                    let link = nodes[node].links[peer], let state = links[link],
                    let request = state.ends[state.end(of: node)].session.request(
                        wanted.blob.hash, in: wanted.space, offset: offset)
                else { continue }
                try checkSecrecy(of: wanted.space, from: node, to: peer)
                nodes[node].content.asked(request, of: device)
                put(.message(.want(request)), link, state.end(of: node))
            case .store(let wanted, let bytes, let offset):
                let isStored = try await replica.append(
                    bytes, at: offset, of: wanted.blob, in: wanted.space, wallTime: wall(node))
                guard isStored else { return nodes[node].content.postpone(wanted, until: uptime) }
            case .finish(let wanted): try await finish(wanted, at: node)
            }
        }
    }

    private func finish(_ wanted: ContentFetching.Wanted, at node: Int) async throws {
        guard let replica = nodes[node].replica else { return }
        let end = try await replica.finish(
            wanted.blob, in: wanted.space, wallTime: wall(node))
        nodes[node].content.end(wanted, isWrong: end == .wrongContent)
        trace.record(now, "fetched \(node) \(end)", wanted.blob.hash.bytes)
        switch end {
        case .stored:
            tally.count("contents fetched")
            try await checkContent(wanted.blob, in: wanted.space, at: node)
        case .wrongContent: tally.count("contents with another hash")
        case .notNamed: tally.count("contents named no more")
        }
    }

    /// Processes a message about content.
    /// - Throws: ``SyncFault`` if the peer violates the protocol; the link then ends.
    func processContent(_ message: Message, _ link: Int, _ end: Int) async throws {
        guard let (node, peer) = parties(link, end) else { return }
        let device = nodes[peer].device
        switch message {
        case .want(let request): try receive(request, link, end)
        case .piece(let piece):
            // The liar asked for more than its node knows.
            guard !nodes[node].isLiar || nodes[node].content.expects(piece.request, of: device)
            else { return }
            tally.count("pieces received")
            let effects = try nodes[node].content.receive(piece, from: device, now: uptime)
            try await perform(effects, at: node)
            try await fetchContent(node)
        case .lacking(let request):
            guard !nodes[node].isLiar || nodes[node].content.expects(request, of: device)
            else { return tally.count("requests of the liar refused") }
            try nodes[node].content.receive(lacking: request, from: device, now: uptime)
            try await fetchContent(node)
        default: return
        }
    }
}

extension ContentFetching {
    /// Whether a request is one that was asked of a device and not answered.
    fileprivate func expects(_ request: ContentRequest, of device: DeviceID) -> Bool {
        var copy = self
        return (try? copy.receive(lacking: request, from: device, now: .zero)) != nil
    }
}
