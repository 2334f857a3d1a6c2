internal import Records
internal import Replica
internal import Sync

// The checks of content.
extension World {
    /// Checks that content is sent only in a space in which it was put.
    func checkOpened(
        _ hash: BlobHash, in space: SpaceID, from node: Int, to peer: Int
    ) throws(Violation) {
        guard !nodes[node].isLiar, photos.photos[hash]?.spaces[space] == nil else { return }
        throw Violation(
            .opened,
            "node \(node) sends node \(peer) content in \(space.suffix), where nobody put it")
    }

    /// Checks that content which a node stored is what was put.
    func checkContent(_ blob: Blob, in space: SpaceID, at node: Int) async throws {
        guard let replica = nodes[node].replica else { return }
        let found = try await replica.content(of: blob, in: space, wallTime: wall(node))
        guard found != photos.photos[blob.hash]?.content || found == nil else { return }
        throw Violation(
            .content,
            "node \(node) has \(found.map { "\($0.count) bytes" } ?? "nothing") for content of "
                + "\(blob.bytesCount) bytes in \(space.suffix)")
    }

    /// The time within which all content is fetched: a device that is silent is given up, and one
    /// that lacked the content is asked again.
    private static let fetchingTime: Duration = .seconds(120)

    /// Waits until all content has arrived, and checks it.
    func checkPhotos() async throws {
        guard mix.photoCount > 0 else { return }
        for node in nodes.indices { nodes[node].isLookDue = true }
        try await run(until: now + World.fetchingTime.milliseconds)
        for node in nodes.indices where nodes[node].replica != nil {
            try await checkHeld(at: node)
            guard !nodes[node].isLiar, isPresent(node) else { continue }
            try await checkFetched(at: node)
            try await checkErasedContent(at: node)
        }
    }

    /// Checks that a node has only content of spaces that its person may hold.
    private func checkHeld(at node: Int) async throws {
        guard let replica = nodes[node].replica else { return }
        for hash in try await replica.storedContent().sorted() {
            tally.count("contents held")
            let spaces = photos.photos[hash]?.spaces.keys.map { $0 } ?? []
            guard !spaces.contains(where: { mayHold($0, nodes[node].person) }) else { continue }
            throw Violation(.opened, "node \(node) has content that was never open to it")
        }
    }

    /// Checks that a node has all content that its person looks at, and its own. Of another
    /// person's card it has the content that came last.
    private func checkFetched(at node: Int) async throws {
        guard let replica = nodes[node].replica else { return }
        let me = society.people[nodes[node].person].id
        let cards = try await shownCards(at: node)
        for row in try await replica.photos() {
            guard let photo = photos.photos[row.blob.hash], photo.spaces[row.space] != nil,
                row.creator == me || isLookedAt(row, by: node)
            else { continue }
            let need = try await replica.arrivedBytes(of: row.blob, in: row.space)
            if case .isHere = need {
                tally.count("contents compared")
                try await checkContent(row.blob, in: row.space, at: node)
                continue
            }
            guard cards[row.space] == nil else {
                tally.count("contents replaced on cards")
                continue
            }
            for source in try await sources(of: row, photo, at: node) {
                throw Violation(
                    .content,
                    "node \(node) lacks content in \(row.space.suffix) that node \(source) has")
            }
            tally.count("contents out of reach")
        }
    }

    /// Returns the other people's cards of which a node has content, and checks that it has one
    /// content of each at most.
    private func shownCards(at node: Int) async throws -> [SpaceID: BlobHash] {
        guard let replica = nodes[node].replica else { return [:] }
        let me = society.people[nodes[node].person].id
        var shown: [SpaceID: BlobHash] = [:]
        for row in try await replica.photos()
        where row.creator != me && row.space == SpaceDescriptor.card(row.creator).id {
            let need = try await replica.arrivedBytes(of: row.blob, in: row.space)
            guard case .isHere = need else { continue }
            guard shown[row.space] ?? row.blob.hash == row.blob.hash else {
                throw Violation(.content, "node \(node) keeps two contents of one card")
            }
            shown[row.space] = row.blob.hash
        }
        return shown
    }

    /// Returns the nodes from which a node should have fetched content by now: those that put it,
    /// and those that have it and serve it.
    private func sources(
        of row: PhotoRow, _ photo: PhotoBook.Photo, at node: Int
    ) async throws -> [Int] {
        var found: [Int] = []
        let putting = photo.spaces[row.space] ?? []
        if putting.contains(node), !nodes[node].wasRestored { found.append(node) }
        for (peer, link) in nodes[node].links.sorted(by: { $0.key < $1.key }) {
            guard let state = links[link], state.cutAt == nil,
                state.ends.allSatisfy({ $0.session.commonSpaces.contains(row.space) })
            else { continue }
            let isServed =
                try await nodes[peer].replica?.piece(of: row.blob.hash, in: row.space, from: 0)
            let mustServe =
                putting.contains(peer) && !nodes[peer].wasRestored && !nodes[peer].isLiar
            if isServed != nil || mustServe {
                found.append(peer)
            }
        }
        return found
    }

    /// Checks that erased content is in no file of a node that has the erasures.
    private func checkErasedContent(at node: Int) async throws {
        guard let replica = nodes[node].replica else { return }
        var present: [SpaceID: Set<BatchHash>] = [:]
        for space in await replica.spaces() {
            present[space.id] = Set(try await batches(in: space.id, of: replica).map(\.hash))
        }
        let gone = photos.hashes.compactMap { photos.photos[$0] }.filter { photo in
            let here = photo.records.filter { present[$0.space]?.contains($0.batch) ?? false }
            return !photo.isUnnamed && !here.isEmpty
                && here.allSatisfy { record in
                    record.erasedBy.map { present[record.space]?.contains($0) ?? false } ?? false
                }
        }
        guard !gone.isEmpty else { return }
        tally.count("erased contents looked for", gone.count)
        let held = try await replica.storedContent()
        let files = try nodes[node].home.contents()
        for photo in gone {
            let isThere = files.contains { photo.hasPiece(in: $0) }
            guard held.contains(photo.blob.hash) || isThere else { continue }
            throw Violation(
                .erased, "node \(node) keeps erased content of \(photo.content.count) bytes")
        }
    }
}

extension PhotoBook.Photo {
    /// The number of bytes that are compared at the beginning of a piece. No content is shorter.
    private static let comparedBytes = 64

    /// Whether a file has the first bytes of any piece of the content in their place.
    ///
    /// A single byte proves nothing. A file that is one byte longer than a piece has one byte in
    /// the place of the second piece, and one in 256 such files has the same byte there as this
    /// content.
    fileprivate func hasPiece(in file: [UInt8]) -> Bool {
        let length = min(file.count, content.count)
        return stride(from: 0, to: length, by: Limits.blobPieceBytes).contains { start in
            let end = start + Self.comparedBytes
            return end <= length && file[start..<end] == content[start..<end]
        }
    }
}
