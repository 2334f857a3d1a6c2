public import Records

// Open spaces are named to every linked peer of ``Hello/openVersion``, also to strangers. They are
// never in sync, have no vectors, and are exchanged by an ``OpenExchange``.
extension SyncSession {
    /// Names exactly these open spaces from now on, besides the shared ones. Only spaces that were
    /// not named are announced.
    /// - Parameter digests: the digest of each space's offer.
    public mutating func name(open digests: [SpaceID: Bytes16]) -> [Effect] {
        for space in openDigests.keys where digests[space] == nil {
            openByToken[remoteToken(of: space)] = nil
        }
        let fresh = digests.keys.filter { openDigests[$0] == nil }.sorted()
        openDigests = digests
        guard !fresh.isEmpty else { return [] }
        for space in fresh {
            let token = remoteToken(of: space)
            // A digest from before this side left the space may be old, and may equal that of the
            // empty space with which this side begins again.
            if channel(of: space) != nil, remoteDigests[token] != nil {
                remoteDigests[token] = .zero
            }
            _ = assignChannel(to: space)
            openByToken[token] = space
        }
        return [.send(have(fresh, .announcement))] + fresh.flatMap(offered)
    }

    /// Changes the digests of open spaces that are named already. The others are left to
    /// ``name(open:)``, whose announcement they need.
    public mutating func update(open digests: [SpaceID: Bytes16]) {
        openDigests.merge(digests.filter { openDigests[$0.key] != nil }) { _, new in new }
    }

    /// Returns the effect of the peer's last naming of an open space, if there was one.
    func offered(_ space: SpaceID) -> [Effect] {
        remoteDigests[remoteToken(of: space)].map { [.offered(space, digest: $0)] } ?? []
    }

    /// Whether an open space is named to the peer now.
    public func names(open space: SpaceID) -> Bool { openDigests[space] != nil }

    /// Returns the open space with one of the peer's channel numbers, or nil if none is named here.
    public func openSpace(ofChannel channel: UInt64) -> SpaceID? {
        guard channel < UInt64(remoteTokens.count) else { return nil }
        return openByToken[remoteTokens[Int(channel)]]
    }

    /// Passes a message about an open space on, or answers that none is named here.
    func receive(open message: Message, channel: UInt64) -> [Effect] {
        guard let space = openSpace(ofChannel: channel) else {
            return [.send(.none(channel: channel))]
        }
        return [.open(space, message)]
    }

    /// Processes the answer that one of this side's channels names nothing there.
    func receive(noneOn channel: UInt64) -> [Effect] {
        openDigests.keys.filter { self.channel(of: $0) == channel }.map { .notOffered($0) }
    }
}
