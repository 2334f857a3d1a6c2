package import PluginKit

/// The services of the node that plugins run on. The host calls them after it has checked the
/// plugin's manifest, so an implementation checks no permission.
package protocol NodeServices: Sendable {
    /// Returns the rows of a read-only query that reads only these tables and views.
    func read(
        _ sql: String, _ arguments: [Value], allowedTables: Set<String>
    ) async throws -> [Row]
    /// Throws while writing is not safe, so that plugins do not run.
    func requireSettledLogs() async throws
    /// Opens a space and shares it with the people it concerns.
    func open(_ space: SpaceDescriptor) async throws
    /// Closes groups in which this person never wrote, removes what is stored of them, and tells
    /// the plugins that their members changed.
    func close(_ groups: [SpaceDescriptor]) async throws
    /// Authors one batch; it is on the disk when this returns.
    /// - Returns: the ids of created entities.
    func author(_ edits: [Edit], in space: SpaceDescriptor) async throws -> [EntityID]
    /// Returns the bytes that this person can still write today in an open space; nil if it is not
    /// open here.
    func dayBytesLeft(in space: SpaceDescriptor) async throws -> Int?
    /// Stores content that records of a space will name.
    func put(_ content: [UInt8], kind: String, in space: SpaceDescriptor) async throws -> Blob
    /// Returns content that a record of a space names, or nil, and fetches it then.
    func find(_ blob: Blob, in space: SpaceDescriptor) async throws -> [UInt8]?
    /// Returns content that a record of a space names, or nil, and fetches nothing.
    func findHere(_ blob: Blob, in space: SpaceDescriptor) async throws -> [UInt8]?
    /// Returns the path of that content, or nil, and fetches it then.
    func file(of blob: Blob, in space: SpaceDescriptor) async throws -> String?
    /// Copies that content to a new file; if it is not here, returns false and fetches it.
    func save(_ blob: Blob, in space: SpaceDescriptor, to path: String) async throws -> Bool
    /// Reads a picture, without decoding it in this process.
    func encode(_ source: PhotoSource, for use: PhotoUse) async throws -> EncodedPhoto
    /// Returns all present and former members of a group.
    func members(of group: SpaceDescriptor) async -> [Member]
    /// Changes the members of a group; the change is on the disk when this returns.
    func control(_ edits: [ControlEdit], in group: SpaceDescriptor) async throws

    /// Sends to every linked member of a space, or only to those of them who are named.
    func sendEphemeral(
        _ topic: String, _ body: [UInt8], to space: SpaceDescriptor, only people: Set<PersonID>?,
        expiry: Duration) async throws
    /// Sends to one linked device.
    /// - Throws: ``CommandFault/notFound(_:)`` if it is not linked.
    func sendDirect(_ topic: String, _ body: [UInt8], to device: DeviceID) async throws
    /// Publishes an event to every program that follows the node.
    func publish(_ message: EventMessage) async
    /// Shows a notice on the desktop, as the person's settings permit.
    func notify(_ notice: DesktopNotice) async

    /// The location of this device, as its source last reported it.
    var whereabouts: Whereabouts { get async }
    /// Uses another source of locations from now on.
    func choose(_ source: LocationChoice) async throws
    /// Sets this device's location by hand.
    func setByHand(_ fix: Fix?) async

    /// Asks for measurements during this time on behalf of a plugin; zero ends it.
    func measure(for duration: Duration, askedBy plugin: String) async
    /// Returns the newest measurement of each linked device.
    func measurements() async -> [DeviceID: RangeMeasurement]
    /// The provider of measurements and its state.
    var rangingProvider: RangingProvider { get async }
    /// Uses another provider of measurements from now on.
    func choose(_ provider: RangingChoice) async throws

    /// Signs a statement as this person.
    func sign(_ content: [UInt8], topic: String) async throws -> [UInt8]
    /// Checks a statement of any person; nil if it is none.
    func check(_ statement: [UInt8], topic: String) async -> CheckedStatement?

    /// Returns the devices linked or sighted now.
    func nearbyDevices() async -> [NearbyDevice]
    /// Dials a device of which only an announcement was seen, and returns the result so far.
    func reach(_ tag: AnnouncedTag) async -> NearbyReach
    /// Returns the reason why no device is seen, after 10 s without any.
    func reasonNobodyIsSeen() async -> (cause: Sentence, fix: Sentence, command: String?)?
    /// Announces ``PluginHost/announcement`` after it changed.
    func announcementChanged() async
}

/// A device nearby, with all that it announces.
package struct NearbyDevice: Sendable {
    /// The device, if it is linked or was until a moment ago; nil while only an announcement was
    /// seen.
    package var device: DeviceID?
    /// The person, if the device or its tag shows who it is.
    package var person: PersonID?
    /// The tag that it announces.
    package var tag: AnnouncedTag?
    package var fields: AnnouncedFields
    package var distanceMetres: Double?
    package var bearingDegrees: Double?
    /// The time when it was first seen in this visit.
    package var since: Timestamp
    /// The reason why it cannot be reached or its links keep ending, if that is so.
    package var trouble: ConnectionTrouble?

    /// Creates a device from what is known.
    package init(
        device: DeviceID?, person: PersonID?, tag: AnnouncedTag? = nil,
        fields: AnnouncedFields = AnnouncedFields(), distanceMetres: Double? = nil,
        bearingDegrees: Double? = nil, since: Timestamp, trouble: ConnectionTrouble? = nil
    ) {
        self.device = device
        self.person = person
        self.tag = tag
        self.fields = fields
        self.distanceMetres = distanceMetres
        self.bearingDegrees = bearingDegrees
        self.since = since
        self.trouble = trouble
    }
}
