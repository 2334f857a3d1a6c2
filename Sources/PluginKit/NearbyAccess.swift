/// People nearby, and this device's announcements to them.
///
/// A field that the manifest declares as ``Manifest/AnnouncedField/Shown/whileSwitchedOn`` is set
/// once, and its switch shows and hides it:
///
/// ```swift
/// try await context.nearby.announce(Self.openKey, [Self.openFlag])
/// try await context.nearby.setSwitch(Self.openKey, isOn: isOpen)
/// ```
public protocol NearbyAccess: Sendable {
    /// Returns the people linked or sighted now, without blocked ones. Their announcements contain
    /// only this plugin's fields.
    /// - Throws: ``CommandFault/refused(_:)`` without ``Manifest/Service/nearby``.
    func people() async throws -> [NearbyPerson]
    /// Dials a device of which only an announcement was seen, before other strangers and as far as
    /// the limits on dials permit, and returns the result so far. Call it again every second while
    /// the device is wanted.
    /// - Throws: ``CommandFault/refused(_:)`` without ``Manifest/Service/nearby``.
    func reach(_ tag: AnnouncedTag) async throws -> NearbyReach
    /// Exchanges cards with someone nearby, if they wish the same within a few seconds. Returns
    /// when the wish is on its way.
    /// - Throws: ``CommandFault/refused(_:)`` without ``Manifest/Service/nearby``, or if no plugin
    ///   here performs meetings; else the fault of the plugin that does.
    func meet(_ wish: MeetingWish) async throws
    /// Returns the reason why no device is seen, after 10 s without any: the first failing cause
    /// and its fix, with the command that carries it out if there is one.
    /// - Throws: ``CommandFault/refused(_:)`` without ``Manifest/Service/nearby``.
    func reasonNobodyIsSeen() async throws -> (cause: Sentence, fix: Sentence, command: String?)?
    /// Sets the bytes of a declared field; nil or no bytes remove them. The host decides when they
    /// are shown, according to ``Manifest/AnnouncedField/Shown``.
    /// - Throws: ``CommandFault/refused(_:)`` for a field that the manifest does not declare, or
    ///   for more bytes than it declares.
    func announce(_ key: String, _ bytes: [UInt8]?) async throws
    /// Turns the switch of a declared field on or off.
    /// - Throws: ``CommandFault/refused(_:)`` for a field that is not declared as
    ///   ``Manifest/AnnouncedField/Shown/whileSwitchedOn``.
    func setSwitch(_ key: String, isOn: Bool) async throws
    /// Sets whether I am visible to everyone, for the fields of all plugins.
    /// - Throws: ``CommandFault/refused(_:)`` without ``Manifest/Service/visibility``.
    func setVisible(_ isVisible: Bool) async throws
}

/// A person nearby. An unknown value is absent, never zero.
public struct NearbyPerson: Hashable, Sendable {
    /// The device, if it is linked or was until a moment ago; nil while only an announcement was
    /// seen.
    public let device: DeviceID?
    /// The person, if the device or its tag shows who it is.
    public let person: PersonID?
    /// The tag that the device announces.
    public let tag: AnnouncedTag?
    /// Their announcement in this plugin's fields. Any device can announce anything: check it.
    public let announced: AnnouncedFields
    /// The ids of the plugins whose switch is on there.
    public let switchedOn: Set<String>
    /// Whether a switch of any plugin that opens a meeting is on there.
    public let isOpenToMeet: Bool
    /// Their distance in metres.
    public let distanceMetres: Double?
    /// Their direction in degrees from north.
    public let bearingDegrees: Double?
    /// The time when they were first seen in this visit.
    public let since: Timestamp
    /// The reason why they cannot be reached or their links keep ending, if that is so.
    public let trouble: ConnectionTrouble?

    /// Creates a person from what is known.
    public init(
        device: DeviceID?, person: PersonID?, tag: AnnouncedTag? = nil,
        announced: AnnouncedFields = AnnouncedFields(), switchedOn: Set<String> = [],
        isOpenToMeet: Bool = false, distanceMetres: Double? = nil, bearingDegrees: Double? = nil,
        since: Timestamp, trouble: ConnectionTrouble? = nil
    ) {
        self.device = device
        self.person = person
        self.tag = tag
        self.announced = announced
        self.switchedOn = switchedOn
        self.isOpenToMeet = isOpenToMeet
        self.distanceMetres = distanceMetres
        self.bearingDegrees = bearingDegrees
        self.since = since
        self.trouble = trouble
    }
}

/// The result so far of reaching a device of which only an announcement was seen.
public enum NearbyReach: Hashable, Sendable {
    /// It is linked, and this is its device.
    case linked(DeviceID)
    /// It is dialled; the value is the reason why the last attempt failed, if one did.
    case dialling(failure: ConnectionTrouble?)
    /// It is announced no longer.
    case gone
}
