public import ControlAPI
internal import FeaturesAPI
internal import NodeAPI
public import PluginKit

/// A practice mate: a second node on this computer that plays along, so that one person can try
/// everything alone.
///
/// It uses no private interface. It dials the user's node over loopback, is announced to no other
/// device, and runs the commands that a person would run, a moment later: it accepts walk requests,
/// sets its location near the user's, and does with the plugins' commands what each plugin declares
/// in ``Plugin/practice``.
public actor PracticeMate {
    /// The result of ``run()``.
    public enum Ending: Hashable, Sendable {
        /// The mateship is ended, and everything that the practice mate wrote is erased.
        case gone
        /// The user's node does not answer, so the mateship must be ended at the next start.
        case unfinished
    }

    private let mine: any NodeConnection
    private let parts: [PracticePart]
    private let yours: any NodeConnection
    private let clock: any NodeClock
    private let isWanted: @Sendable () -> Bool
    private var matters = WaitingMatters()
    private var dialled: NetworkAddress?
    private var visibleUntil = Duration.zero
    /// The user's location when it was last looked at.
    private var seenLatitude: Double?
    private var seenLongitude: Double?

    /// The interval at which it looks for something to answer.
    static let look = Duration.milliseconds(700)
    /// The time after which it answers.
    static let thinking = Duration.seconds(2)
    /// It ends after the user's node has not answered for this time.
    static let patience = Duration.seconds(30)
    /// The time for which its name is shown before it is shown again.
    static let visible = Duration.seconds(9 * 60)

    /// Creates a practice mate.
    /// - Parameters:
    ///   - mine: the practice mate's own node.
    ///   - yours: the user's node.
    ///   - parts: what it does with the commands of plugins.
    ///   - isWanted: whether to go on; asked several times a second.
    public init(
        mine: any NodeConnection, yours: any NodeConnection, parts: [PracticePart],
        clock: any NodeClock, isWanted: @escaping @Sendable () -> Bool
    ) {
        self.mine = mine
        self.yours = yours
        self.parts = parts
        self.clock = clock
        self.isWanted = isWanted
    }

    /// Plays along until it is wanted no longer, or the user's node does not answer for too long.
    /// Then it ends the mateship and erases what it wrote. Both nodes must run.
    public func run() async throws -> Ending {
        let profile = EditProfile(
            nickname: try Nickname("Practice mate"), dogName: try DogName("Pixel"),
            age: try DogAge(3), sex: .female, neutered: true, size: .small)
        _ = try await mine.call(ProfileCommands.edit, profile)
        var lastAnswer = clock.uptime
        while isWanted(), clock.uptime - lastAnswer < Self.patience {
            if await playAlong() { lastAnswer = clock.uptime }
            try await clock.sleep(for: Self.look)
        }
        return await leave()
    }

    /// Answers everything that waits.
    /// - Returns: whether the user's node answers.
    private func playAlong() async -> Bool {
        guard let status = try? await yours.call(NodeCommands.status) else { return false }
        // Any of these may be refused because the state has just changed; it is tried again.
        try? await dial(status)
        try? await beSeen()
        try? await answerWalks()
        for part in parts { try? await part.playAlong(self) }
        try? await standNearby()
        matters.endLook()
        return true
    }

    /// Dials the user's node; its port is another one at each start.
    private func dial(_ status: NodeStatus) async throws {
        let address = try NetworkAddress("127.0.0.1:\(status.port.value)")
        guard address != dialled else { return }
        for peer in try await mine.call(NodeCommands.listPeers).peers {
            _ = try await mine.call(
                NodeCommands.removePeer, PeerAddress(address: NetworkAddress(peer.address.string)))
        }
        _ = try await mine.call(NodeCommands.addPeer, PeerAddress(address: address))
        dialled = address
    }

    /// Shows its name; only the user's node is linked to it.
    private func beSeen() async throws {
        guard clock.uptime >= visibleUntil else { return }
        _ = try await mine.call(NearbyCommands.showToEveryone)
        visibleUntil = clock.uptime + Self.visible
    }

    private func answerWalks() async throws {
        for request in try await mine.call(WalkCommands.list).requests
        where request.direction == .received && request.state == .pending {
            guard hasThought(about: request.id.string) else { continue }
            _ = try await mine.call(
                WalkCommands.accept, WalkReference(id: RecordPrefix(request.id)))
        }
    }

    /// Stands about 200 m from the user's own location, once that is known.
    private func standNearby() async throws {
        let known = try await yours.call(LocationCommands.show)
        guard let latitude = known.latitude?.value, let longitude = known.longitude?.value else {
            return
        }
        guard latitude != seenLatitude || longitude != seenLongitude else { return }
        _ = try await mine.call(
            LocationCommands.set,
            SetLocation(
                latitude: Latitude(clamping: latitude + 0.0015),
                longitude: Longitude(clamping: longitude + 0.001)))
        (seenLatitude, seenLongitude) = (latitude, longitude)
    }

    // MARK: The end

    /// Ends the mateship and erases what the two wrote to each other, then ends the practice mate's
    /// node, which removes its home.
    private func leave() async -> Ending {
        let me = try? await mine.call(NodeCommands.status).person
        let isMate = (try? await mine.call(MateCommands.list).mates.isEmpty) == false
        let isInReach = await isLinked()
        guard let me, isInReach || !isMate else {
            _ = try? await mine.call(NodeCommands.stop)
            return .unfinished
        }
        if isInReach { try? await eraseYours(with: me) }
        _ = try? await mine.call(NodeCommands.deleteMe, DeleteMe(yes: true))
        _ = try? await yours.call(MateCommands.remove, MateReference(person: NameOrKey(me)))
        return .gone
    }

    /// Waits until the two nodes are linked, as at a start that only ends an earlier practice.
    private func isLinked() async -> Bool {
        let end = clock.uptime + Self.patience / 3
        while let status = try? await yours.call(NodeCommands.status) {
            try? await dial(status)
            let links = try? await mine.call(NodeCommands.status).links
            if links?.contains(where: { $0.person == status.person }) == true { return true }
            guard clock.uptime < end, (try? await clock.sleep(for: Self.look)) != nil else {
                break
            }
        }
        return false
    }

    /// Erases the user's own walk requests to the practice mate, and what plugins know of.
    private func eraseYours(with me: Key) async throws {
        for request in try await yours.call(WalkCommands.list).requests
        where request.person == me && request.direction == .sent {
            _ = try await yours.call(
                WalkCommands.erase, WalkReference(id: RecordPrefix(request.id)))
        }
        for part in parts { try await part.erase(ConnectedNode(connection: yours), me) }
    }
}

extension PracticeMate: PracticePlayer {
    /// Its own node.
    public nonisolated var node: any PracticeNode { ConnectedNode(connection: mine) }

    /// The devices of people who wait to meet another.
    public func devicesOpenToMeet() async throws -> [Key] {
        try await mine.call(NearbyCommands.list).people.filter(\.isOpenToMeet).map(\.device)
    }

    /// Whether something has waited for long enough.
    public func hasThought(about matter: String) -> Bool {
        matters.wait(of: matter, at: clock.uptime) >= Self.thinking
    }

    /// Makes a matter wait from the beginning.
    public func forget(_ matter: String) { matters.remove(matter) }
}

/// A node behind a connection.
private struct ConnectedNode: PracticeNode {
    let connection: any NodeConnection

    func call<Request, Answer>(
        _ command: Command<Request, Answer>, _ request: Request
    ) async throws -> Answer {
        try await connection.call(command, request)
    }
}
