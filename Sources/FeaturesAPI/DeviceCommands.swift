public import Contract

/// The commands of this person's own devices.
///
/// ```swift
/// let others = try await node.call(DeviceCommands.list).devices.filter { !$0.isThis }
/// _ = try await node.call(
///     DeviceCommands.remove, RemoveDevice(device: NameOrKey(others[0].device), yes: true))
/// ```
public enum DeviceCommands {
    /// Lists this person's devices.
    public static let list = Command<NoParameters, DeviceList>(
        .query, "device", "list", help: "Lists your devices.",
        follows: [DeviceEvents.changed.declaration],
        topics: [
            .example(.start, command: "waggle device list", effect: "lists your devices")
        ])
    /// Names a device.
    public static let rename = Command<RenameDevice, Done>(
        .action, "device", "rename", help: "Names one of your devices; only your devices see it.")
    /// Removes a device.
    public static let remove = Command<RemoveDevice, DeviceRemoval>(
        .action, "device", "remove",
        help: "Removes one of your devices: it gets nothing more, and what it wrote stays.",
        topics: [
            .example(
                .privacy, command: "waggle device remove phone --yes",
                effect: "a device that was lost gets nothing more")
        ])
}

/// The event of this person's devices.
public enum DeviceEvents {
    /// A device was added, removed, named, linked or lost.
    public static let changed = Event<DeviceChange>(
        "devices", help: "One of your devices was added, removed, named, or came or went.")
}

/// The body of ``DeviceEvents/changed``.
public struct DeviceChange: EventBody {
    /// Creates the value.
    public init() {}

    /// The change in words.
    public func sentence(_ names: EventNames) -> Sentence? { "Your devices changed." }
}

/// The name of a device, which only this person's devices see.
public typealias DeviceName = Text<1, 40>

/// The request of `device rename`.
public struct RenameDevice: CommandRequest {
    /// The device's name, or at least six digits of its key.
    public var device: NameOrKey
    /// The new name.
    public var name: DeviceName

    /// Creates the value.
    public init(device: NameOrKey, name: DeviceName) {
        self.device = device
        self.name = name
    }

    /// The help of each property.
    public static let help = [
        "device": "The device's name, or six digits of its key.",
        "name": "The new name, 1 to 40 characters.",
    ]
    /// The properties read by position.
    public static let positional = ["device", "name"]
}

/// The request of `device remove`.
public struct RemoveDevice: CommandRequest {
    /// The device's name, or at least six digits of its key.
    public var device: NameOrKey
    /// The person's confirmation: nothing happens unless it is true.
    public var yes: Bool?
    /// The recovery words, for a device that this one may not remove.
    public var words: Text<1, 512>?

    /// Creates the value.
    public init(device: NameOrKey, yes: Bool?, words: Text<1, 512>? = nil) {
        self.device = device
        self.yes = yes
        self.words = words
    }

    /// The help of each property.
    public static let help = [
        "device": "The device's name, or six digits of its key.",
        "yes": "Confirms the removal; nothing happens without it.",
        "words": "Your nine recovery words, for a device that this one may not remove; - asks.",
    ]
    /// The properties read by position.
    public static let positional = ["device"]
}

/// The answer of `device remove`.
public struct DeviceRemoval: Codable, Hashable, Sendable {
    /// The device that was removed.
    public var device: Key
    /// The number of spaces in which what it wrote was ended.
    public var spaces: Count
    /// A sentence about the result, and about things that the person should know.
    public var detail: ShownSentence

    /// Creates the value.
    public init(device: Key, spaces: Int, detail: Sentence) {
        self.device = device
        self.spaces = Count(clamping: spaces)
        self.detail = ShownSentence(detail)
    }
}

/// The answer of `device list`.
public struct DeviceList: Codable, Hashable, Sendable {
    /// One device.
    public struct Device: Codable, Hashable, Sendable {
        /// A name that is shown.
        public typealias ShownName = ShownText<40>

        /// The device's key.
        public var device: Key
        /// The first digits of the key.
        public var suffix: KeySuffix
        /// The device's name; nil if it has none.
        public var name: ShownName?
        /// Whether it is the device that answers.
        public var isThis: Bool
        /// Whether it is linked now.
        public var linked: Bool
        /// The time at which this device last saw it, or the time of its newest change that is
        /// here; nil if neither is known.
        public var seenMs: Timestamp?
        /// The reason this device may not remove it without the recovery words; nil if it may.
        public var outranked: ShownSentence?

        /// Creates the value.
        public init(
            device: Key, suffix: KeySuffix, name: String?, isThis: Bool, linked: Bool,
            seenMs: Timestamp?, outranked: Sentence?
        ) {
            self.device = device
            self.suffix = suffix
            self.name = name.map(ShownName.init(clipping:))
            self.isThis = isThis
            self.linked = linked
            self.seenMs = seenMs
            self.outranked = outranked.map(ShownSentence.init(_:))
        }
    }

    /// This device first, and then the others by name.
    public var devices: [Device]
    /// A warning for someone who is about to remove a device; nil if there is nothing special.
    public var caution: ShownSentence?
    /// The reason no device can be removed here now; nil if one can.
    public var locked: ShownSentence?
    /// Whether another device removed the one that answers.
    public var isRemoved: Bool

    /// Creates the value.
    public init(
        devices: [Device], caution: Sentence?, locked: Sentence?, isRemoved: Bool = false
    ) {
        self.devices = devices
        self.isRemoved = isRemoved
        self.caution = caution.map(ShownSentence.init(_:))
        self.locked = locked.map(ShownSentence.init(_:))
    }
}
