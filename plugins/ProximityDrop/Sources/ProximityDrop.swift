public import PluginKit

/// The profile drop: two people who meet press a button, exchange cards and become mates if both
/// accept. This actor does what ``DropSession`` decides.
public actor ProximityDrop: Plugin {
    /// What the drop declares.
    public static let manifest = Manifest(
        id: "drop", version: 1, directTopics: [topic], events: [topic],
        services: [.mates, .inbox, .nearby])

    static let topic = "drop"
    /// The one inbox item there is for invitations: strangers can never fill the inbox.
    static let inboxReference = "drop-incoming"

    let context: PluginContext
    var session: DropSession
    /// The other's card as it may be shown, with the drop it came in.
    var shownCard: (id: Bytes16, fields: [String: JSONValue])?
    /// Whether my edge is being stored now; until then the edges say nothing.
    private var isProposing = false
    /// Rings where a drop begins while nothing went on.
    private let alarm = Alarm()
    private var isResting = false

    /// Makes the plugin with all it may touch.
    public init(context: PluginContext) {
        self.context = context
        session = DropSession(me: Peer(device: context.device, person: context.me))
    }

    /// Invitations are let in always; nothing of a profile leaves before the button is pressed.
    public func run() async throws {
        await context.topics.setDirect(Self.topic, isOpen: true)
        try await context.core.settleInbox(reference: Self.inboxReference)
        while true {
            isResting = session.isQuiet(now: now)
            try await alarm.wait(
                for: isResting ? DropTimes.rest : DropTimes.resend, on: context.clock)
            isResting = false
            try await tick()
        }
    }

    /// Looks at the time and, where the edges decide, at the edges.
    func tick() async throws {
        let candidates = session.phase == .finding ? try await openDevices() : []
        await perform(session.tick(candidates: candidates, now: now))
        if session.awaitsEdges, !isProposing, let person = session.peer?.person {
            let relation = try await context.core.relation(to: person)
            await perform(session.settle(relation))
        }
    }

    /// Takes a drop message; from a mate or a blocked person no invitation is taken.
    public func received(_ message: TopicMessage) async throws {
        guard message.topic == Self.topic, message.space == nil else { return }
        guard let decoded = try? DropMessage(decoding: message.body) else {
            return await perform(session.receiveMalformed(from: message.from))
        }
        if case .offer = decoded, session.peer != message.from {
            // A mate's card is here already, and a blocked person does not exist.
            let relation = try await context.core.relation(to: message.from.person)
            guard relation == .stranger || relation == .waiting else { return }
        }
        await perform(session.receive(decoded, from: message.from, now: now))
    }

    var now: Duration { context.clock.uptime }

    /// Devices nearby whose person waits for a drop and is no mate.
    func openDevices() async throws -> [DeviceID] {
        var devices: [DeviceID] = []
        for someone in await context.nearby.people() where someone.dropOpen {
            guard let device = someone.device else { continue }
            if let person = someone.person,
                try await context.core.relation(to: person) == .mate
            {
                continue
            }
            devices.append(device)
        }
        return devices
    }

    /// Does what the session decided, in order.
    func perform(_ effects: [DropSession.Effect]) async {
        if isResting { alarm.ring() }
        for effect in effects {
            do {
                try await perform(effect)
            } catch {
                context.logger.warning("A step of the drop failed: \(error)")
                if case .propose = effect {
                    return await perform(session.fail(.notStored(Self.sentence(error))))
                }
            }
        }
    }

    private func perform(_ effect: DropSession.Effect) async throws {
        switch effect {
        case .send(let message, let device): await send(message, to: device)
        case .announceOpen(let isOpen): await context.nearby.announce(.dropOpen(isOpen))
        case .propose(let person, let meeting, let card):
            isProposing = true
            defer { isProposing = false }
            let checked = await context.core.checkedCard(card.fields)
            try await context.core.proposeMate(person, meeting: meeting, card: checked)
        case .withdraw(let person, let meeting):
            try await context.core.withdrawMate(person, meeting: meeting)
        case .incoming(let peer): try await tellIncoming(peer)
        case .changed: await context.events.publish(Self.topic, .object([:]))
        }
    }

    /// A device that is not linked right now gets the message again in a second.
    private func send(_ message: DropMessage, to device: DeviceID) async {
        do {
            try await context.topics.sendDirect(Self.topic, message.encoded, to: device)
        } catch {
            context.logger.debug("A drop message to \(device.suffix) was not sent: \(error)")
        }
    }

    private func tellIncoming(_ peer: Peer?) async throws {
        guard let peer else {
            return try await context.core.settleInbox(reference: Self.inboxReference)
        }
        try await context.core.postToInbox(
            InboxItem(
                kind: "drop", reference: Self.inboxReference,
                title: "Somebody nearby wants to drop",
                body: "Device \(peer.device.suffix). Accept to exchange profiles with them.",
                actions: ["accept", "decline"], from: peer.person))
    }

    private static func sentence(_ error: any Error) -> String {
        (error as? CommandFault)?.sentence ?? String(describing: error)
    }
}
