internal import Links
internal import PluginKit
internal import Records
internal import Sync

/// The links of this node, at most one for each device, and when they next need attention.
struct LinkTable: Sendable {
    /// The links by their peer's device.
    private(set) var byDevice: [DeviceID: ActiveLink] = [:]
    /// When the next link needs a ping or a question, in time since the node's start.
    var nextTending: Duration = .zero
    /// The reminders of former mates, which outlast their links.
    var reminders = EndReminders()
    /// The costs that each person's links may still cause; they outlast the links too.
    var allowances = PersonAllowances()
    /// The checks of HELLOs with long chains of keys, for all links.
    var chainAllowance = RecordAllowance()
    /// Whether the members of shared spaces, or the spaces, changed since the last look for records
    /// that may be stored now.
    var mayRecordsBeUsable = false
    private var lastID: UInt64 = 0

    /// The link with a device.
    subscript(device: DeviceID) -> ActiveLink? {
        get { byDevice[device] }
        set { byDevice[device] = newValue }
    }

    /// All links, in no order.
    var values: Dictionary<DeviceID, ActiveLink>.Values { byDevice.values }
    /// The devices of all links, in no order.
    var keys: Dictionary<DeviceID, ActiveLink>.Keys { byDevice.keys }
    var isEmpty: Bool { byDevice.isEmpty }

    /// Returns the id of a new link.
    mutating func newID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// Whether any link keeps a record that could not be stored when it came.
    var isAnyRecordWaiting: Bool { values.contains { !$0.records.isEmpty } }

    /// Whether any link's session shares a space.
    func shares(_ space: SpaceID) -> Bool {
        values.contains { $0.session.sharedSpaces.contains(space) }
    }

    /// Whether a peer is linked that holds the same as this node in all spaces that both know.
    var isAnyInSync: Bool {
        values.contains { active in
            let common = active.session.commonSpaces
            return !common.isEmpty && common.allSatisfy(active.session.isInSync)
        }
    }

    /// Returns for each linked peer that shares a space whether all that it shares are equal.
    /// - Parameter isAhead: whether a peer has more of this device's logs in neighbourhoods, which
    ///   are never equal.
    func equalities(isAhead: (DeviceID) -> Bool) -> [Bool] {
        values.filter { !$0.session.commonSpaces.isEmpty }.map { active in
            active.session.commonSpaces.allSatisfy(active.session.isInSync)
                && !isAhead(active.peer.device)
        }
    }

    /// Returns the offsets of clocks from this one, one for each person, since a person may have as
    /// many devices as they like. A clock that is off by a day counts for nothing.
    /// - Parameter isTrusted: whether a person's clocks count.
    func clockOffsets(isTrusted: (PersonID) -> Bool) -> [Duration] {
        let possible = .zero - Limits.stampAheadMax...Limits.stampAheadMax
        let trusted = values.filter { isTrusted($0.peer.person) }
        return Dictionary(grouping: trusted, by: \.peer.person).values.compactMap { devices in
            ClockOffset.vote(of: devices.map(\.clockOffset).filter(possible.contains))
        }
    }

    /// Returns the number of links with people who are not known.
    /// - Parameter isKnown: whether something is or was shared with a person.
    func strangersCount(isKnown: (PersonID) -> Bool) -> Int {
        values.count { !isKnown($0.peer.person) }
    }

    /// Returns the number of links with people who are not known and who dialled.
    /// - Parameter isKnown: whether something is or was shared with a person.
    func strangersAcceptedCount(isKnown: (PersonID) -> Bool) -> Int {
        values.count { !isKnown($0.peer.person) && !$0.link.isDialled }
    }
}
