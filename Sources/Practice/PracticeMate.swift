internal import ChatAPI
public import ControlAPI
internal import FeaturesAPI
internal import NodeAPI
public import PluginKit
internal import PromisesAPI
internal import ProximityDropAPI

/// A practice mate: a second node on this computer that plays along, so that one person can try
/// everything alone.
///
/// It uses no private interface. It dials the user's node over loopback, is announced to no other
/// device, and runs the commands that a person would run, a moment later: it joins a drop and
/// accepts, accepts walk requests and promises, answers messages, and sets its location near the
/// user's.
public actor PracticeMate {
    /// The result of ``run()``.
    public enum Ending: Hashable, Sendable {
        /// The mateship is ended, and everything that the practice mate wrote is erased.
        case gone
        /// The user's node does not answer, so the mateship must be ended at the next start.
        case unfinished
    }

    private let mine: any NodeConnection
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
    /// The most messages of the user that are erased at the end.
    static let erasedCountMax = 1000

    /// Creates a practice mate.
    /// - Parameters:
    ///   - mine: the practice mate's own node.
    ///   - yours: the user's node.
    ///   - isWanted: whether to go on; asked several times a second.
    public init(
        mine: any NodeConnection, yours: any NodeConnection, clock: any NodeClock,
        isWanted: @escaping @Sendable () -> Bool
    ) {
        self.mine = mine
        self.yours = yours
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
        try? await answerDrop()
        try? await answerWalks()
        try? await answerPromises()
        try? await answerMessages()
        try? await standNearby()
        matters.endLook()
        return true
    }

    /// Whether something has waited for long enough.
    private func isThoughtOver(_ matter: String) -> Bool {
        matters.wait(of: matter, at: clock.uptime) >= Self.thinking
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

    /// Joins a drop that the user begins, and accepts.
    private func answerDrop() async throws {
        let drop = try await mine.call(DropCommands.show)
        let peer = drop.peer?.device
        if drop.phase == .deciding, drop.myAnswer == nil {
            guard isThoughtOver("accept \(drop.id?.string ?? "")") else { return }
            _ = try await mine.call(DropCommands.accept)
        } else if drop.incoming == true, let peer {
            guard isThoughtOver("join") else { return }
            matters.remove("join")
            _ = try await mine.call(DropCommands.start, StartDrop(to: NameOrKey(peer)))
        } else if !drop.phase.isActive {
            // The user may have pressed Drop without choosing a person.
            let open = try await mine.call(NearbyCommands.list).people.first { $0.dropOpen }
            guard let open, isThoughtOver("join") else { return }
            matters.remove("join")
            _ = try await mine.call(DropCommands.start, StartDrop(to: NameOrKey(open.device)))
        }
    }

    private func answerWalks() async throws {
        for request in try await mine.call(WalkCommands.list).requests
        where request.direction == .received && request.state == .pending {
            guard isThoughtOver(request.id.string) else { continue }
            _ = try await mine.call(
                WalkCommands.accept, WalkReference(id: RecordPrefix(request.id)))
        }
    }

    private func answerPromises() async throws {
        let promises = try await mine.call(PromiseCommands.list, ListPromises()).promises
        for promise in promises where promise.state == .invited {
            guard isThoughtOver(promise.id.string) else { continue }
            _ = try await mine.call(
                PromiseCommands.accept,
                AgreeToPromise(promise: NameOrKey(promise.id), atMs: promise.atMs))
        }
    }

    private func answerMessages() async throws {
        for room in try await mine.call(ChatCommands.rooms).rooms
        where room.unread.value > 0 && room.canSend {
            guard isThoughtOver("room \(room.id.string)") else { continue }
            matters.remove("room \(room.id.string)")
            let name = NameOrKey(room.id)
            let page = try await mine.call(ChatCommands.open, OpenRoom(room: name))
            guard let last = page.messages.last, !last.isMine else { continue }
            let text = last.text.string.prefix(100)
            _ = try await mine.call(
                ChatCommands.send,
                SendMessage(
                    room: name,
                    text: MessageText("Woof! I am a practice mate. You wrote: “\(text)”")))
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

    /// Erases the user's own messages and walk requests to the practice mate, and calls off their
    /// common promises.
    private func eraseYours(with me: Key) async throws {
        let room = NameOrKey(me)
        for promise in try await yours.call(PromiseCommands.list, ListPromises()).promises
        where promise.mine {
            let reference = PromiseReference(promise: NameOrKey(promise.id))
            let people = try await yours.call(PromiseCommands.show, reference).people
            guard people.allSatisfy({ $0.me || $0.person == me }), people.count > 1 else {
                continue
            }
            _ = try await yours.call(PromiseCommands.delete, reference)
        }
        for request in try await yours.call(WalkCommands.list).requests
        where request.person == me && request.direction == .sent {
            _ = try await yours.call(
                WalkCommands.erase, WalkReference(id: RecordPrefix(request.id)))
        }
        var before: Cursor?
        var erasedCount = 0
        repeat {
            let page = try await yours.call(
                ChatCommands.page, ShowPage(room: room, before: before))
            for message in page.messages where message.isMine {
                _ = try await yours.call(
                    ChatCommands.delete,
                    DeleteMessage(id: RecordPrefix(message.id), forEveryone: true))
                erasedCount += 1
            }
            before = page.before
        } while before != nil && erasedCount < Self.erasedCountMax
    }
}
