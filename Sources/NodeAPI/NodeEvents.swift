public import Contract

/// The event of the node's own state.
public enum StatusEvents {
    /// The node's state changed.
    public static let changed = Event<StatusChange>(
        "status", help: "The state of Waggle itself changed; the body has the part that did.")
}

/// The body of ``StatusEvents/changed``: the part of the node's state that is new.
public struct StatusChange: EventBody {
    /// A sentence about batches that could not be stored.
    public var problem: ShownSentence?
    /// The new state of discovery.
    public var discovery: NodeStatus.Discovery.State?
    /// True when this device may write again after a restore.
    public var settled: Bool?
    /// A new notice, as a sentence.
    public var notice: ShownSentence?
    /// The result of the comparison with peers after a restore.
    public var audited: NodeStatus.Audit?
    /// True when the node's clock was set, because a mate's clock was heard or left.
    public var clockSet: Bool?
    /// True when something came back by recovery words, or was searched for in vain.
    public var recovery: Bool?
    /// True when the adding of a device went on, on either side.
    public var pairing: Bool?
    /// The space that a peer's device now has in sync, or no longer has.
    public var space: Key?
    /// The peer's device.
    public var device: Key?
    /// Whether the space is in sync with it.
    public var inSync: Bool?

    /// Creates the value.
    public init(
        problem: Sentence? = nil, discovery: NodeStatus.Discovery.State? = nil,
        settled: Bool? = nil, notice: Sentence? = nil, audited: NodeStatus.Audit? = nil,
        clockSet: Bool? = nil, recovery: Bool? = nil, pairing: Bool? = nil, space: Key? = nil,
        device: Key? = nil, inSync: Bool? = nil
    ) {
        self.problem = problem.map(ShownSentence.init(_:))
        self.discovery = discovery
        self.settled = settled
        self.notice = notice.map(ShownSentence.init(_:))
        self.audited = audited
        self.clockSet = clockSet
        self.recovery = recovery
        self.pairing = pairing
        self.space = space
        self.device = device
        self.inSync = inSync
    }

    /// The change in words.
    public func sentence(_ names: EventNames) -> Sentence? {
        if let sentence = problem ?? notice { return sentence.sentence }
        if let discovery { return discovery.sentence }
        if settled == true { return "This device may write again." }
        if audited != nil { return "The comparison with other devices is done." }
        if clockSet == true { return "Waggle's clock follows that of a mate." }
        if recovery == true { return "What comes back by your recovery words has changed." }
        if pairing == true { return "The adding of a device has gone on." }
        guard space != nil, device != nil, let inSync else { return nil }
        return inSync ? "A device has the same data as this one." : "A device has different data."
    }

    /// Whether the body names no part, so that any may have changed.
    public var concernsAll: Bool { self == StatusChange() }
}

extension NodeStatus.Discovery.State {
    /// The state as a sentence for a person.
    fileprivate var sentence: Sentence {
        switch self {
        case .starting: "This device begins to look for people."
        case .announcing, .renamed: "People nearby can find this device."
        case .quiet, .stopped: "People nearby cannot find this device now."
        case .noBus, .noDaemon, .noInterface, .failed, .unknown:
            "This device cannot look for people; 'waggle doctor' shows why."
        }
    }
}

/// The event of links with other devices.
public enum LinkEvents {
    /// A link came up, or ended.
    public static let changed = Event<LinkChange>(
        "link", help: "A link with another device came up or ended.")
}

/// The body of ``LinkEvents/changed``.
public struct LinkChange: EventBody {
    /// The state of a link.
    public enum State: String, OpenChoice { case up, down, unknown }

    /// The device at the other end.
    public var device: Key?
    /// The person of that device.
    public var person: Key?
    /// Whether the link came up or ended.
    public var state: State?

    /// Creates the value.
    public init(device: Key? = nil, person: Key? = nil, state: State? = nil) {
        self.device = device
        self.person = person
        self.state = state
    }

    /// The change in words.
    public func sentence(_ names: EventNames) -> Sentence? {
        let name = names.person(person, else: "a device")
        return switch state {
        case .up: "Connected with \(name)."
        case .down: "No longer connected with \(name)."
        case .unknown, nil: nil
        }
    }
}
