public import PluginKit
internal import ProximityDropAPI

/// The profile drop: two people who meet press a button, exchange cards and become mates if both
/// accept. This actor performs what ``DropSession`` decides.
public actor ProximityDrop: Plugin {
    /// The declarations of the plugin.
    public static let manifest = Manifest(
        id: "drop", version: 1, ephemeralTopics: [newsTopic], directTopics: [topic],
        events: [DropEvents.changed.declaration],
        announces: [
            .init(openKey, bytesMax: flagsBytesMax, shown: .whileSwitchedOn, opensMeeting: true)
        ],
        notices: [.init(inboxKind, help: "People nearby who want to drop.")],
        services: [.mates, .inbox, .nearby, .meetings, .ranging])

    /// The topic of the messages between the two devices.
    static let topic = "drop"
    /// The announced field with flags, one byte each: one of them says that a drop with me can be
    /// started.
    static let openKey = "f"
    static let openFlag = UInt8(ascii: "d")
    static let flagsBytesMax = 2
    /// The reference of the only inbox item for invitations. The item is shown and never stored:
    /// strangers cause no write.
    static let inboxReference = "drop-incoming"
    /// The kind of that item.
    static let inboxKind: InboxKind = "drop"

    let context: PluginContext
    var session: DropSession
    /// The fields of the other's card that may be shown, with the id of their drop.
    var shownCard: (id: Bytes16, fields: ProfileFields)?
    /// The reason of the drop, if another plugin asked for it.
    var meeting: DropStatus.Meeting?
    /// The drops on my other devices, and the uptime at which each was told.
    var elsewhere: [DeviceID: (news: DropNews, at: Duration)] = [:]
    /// Whether my edge is being stored now; the edges decide nothing until it is stored.
    private var isProposing = false
    /// The last advice of a ranged press.
    var advice = RangedAdvice.holdTogether
    /// Whether this plugin asks for measurements.
    var isMeasuring = false
    /// Rings if a drop begins while the session was quiet.
    private let alarm = Alarm()
    private var isResting = false

    /// Whether the announced flags say that a drop is open.
    public static func isSwitchedOn(_ bytes: [UInt8], for key: String) -> Bool {
        bytes.contains(openFlag)
    }

    /// Creates the plugin with everything it may use.
    public init(context: PluginContext) {
        self.context = context
        session = DropSession(me: Peer(device: context.device, person: context.me))
    }

    /// Accepts invitations at all times and ticks the session. No field of a profile is sent before
    /// the button is pressed.
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

    /// Ticks the session and, if the edges decide, reads them.
    func tick() async throws {
        try await reach()
        try await advise()
        let candidates = session.phase == .finding ? try await openDevices() : []
        await perform(session.tick(candidates: candidates, now: now))
        if session.awaitsEdges, !isProposing, let person = session.peer?.person {
            let relation = try await context.core.relation(to: person)
            await perform(session.settle(relation))
        }
    }

    /// Dials the person of the press while their device is not linked.
    func reach() async throws {
        guard let sighted = session.sighted else { return }
        let reach = try await context.nearby.reach(sighted.tag)
        if case .linked(let device) = reach,
            let person = try await context.nearby.people().first(where: { $0.device == device })?
                .person
        {
            switch try await context.core.relation(to: person) {
            case .mate: return await perform(session.fail(.alreadyMates))
            case .blocked: return await perform(session.fail(.left))
            case .stranger, .waiting: break
            }
        }
        await perform(session.reached(reach, now: now))
    }

    /// Receives a drop message; ignores invitations from mates and blocked people.
    public func received(_ message: TopicMessage) async throws {
        if message.topic == Self.newsTopic { return await receiveNews(message) }
        guard message.topic == Self.topic, message.space == nil,
            message.from.person != context.me
        else { return }
        guard let decoded = try? DropMessage(decoding: message.body) else {
            return await perform(session.receiveMalformed(from: message.from))
        }
        if decoded.isOpening, session.peer != message.from {
            // The card of a mate is known already, and a blocked person is treated as absent.
            let relation = try await context.core.relation(to: message.from.person)
            guard relation == .stranger || relation == .waiting else { return }
        }
        await perform(session.receive(decoded, from: message.from, now: now))
    }

    /// Receives measurements while a ranged drop looks for its target.
    public func ranged(_ measurements: [RangeMeasurement]) async throws {
        try await receive(measurements)
    }

    var now: Duration { context.clock.uptime }

    /// Returns the devices nearby that wait for a drop and whose person is not a mate.
    func openDevices() async throws -> [DeviceID] {
        var devices: [DeviceID] = []
        for someone in try await context.nearby.people()
        where someone.switchedOn.contains(Self.manifest.id) {
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

    /// Performs the effects that the session decided, in order.
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
        await keepMeasuring()
    }

    private func perform(_ effect: DropSession.Effect) async throws {
        switch effect {
        case .send(let message, let device): await send(message, to: device)
        case .announceOpen(let isOpen):
            try await context.nearby.announce(Self.openKey, [Self.openFlag])
            try await context.nearby.setSwitch(Self.openKey, isOn: isOpen)
        case .propose(let person, let meeting, let card):
            isProposing = true
            defer { isProposing = false }
            let checked = await context.core.checkedCard(card.fields)
            try await context.core.proposeMate(person, meeting: meeting, card: checked)
        case .withdraw(let person, let meeting):
            try await context.core.withdrawMate(person, meeting: meeting)
        case .incoming(let peer): try await tellIncoming(peer)
        case .changed: await publishChange()
        }
    }

    /// Sends a message. If the device is not linked now, the session sends the message again in a
    /// second.
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
        let item = InboxItem(
            kind: Self.inboxKind, reference: Self.inboxReference,
            title: "Someone nearby wants to exchange profiles",
            body: "You become mates only if both of you accept each other's profile.",
            actions: ["accept", "decline"], from: peer.person)
        try await context.core.showInInbox(item)
        // The sheet in the window shows what is sent before one accepts, so no button here does.
        try await context.desktop.notify(
            DesktopNotice(
                about: item.subject, from: peer.person, title: item.title,
                body: "Open Waggle to see what you would exchange.", withoutText: item.title,
                actions: [DesktopNotice.Action("Decline", DropCommands.decline, NoParameters())]))
    }

    private static func sentence(_ error: any Error) -> Sentence {
        (error as? CommandFault)?.reason ?? Sentence(verbatim: String(describing: error))
    }
}
