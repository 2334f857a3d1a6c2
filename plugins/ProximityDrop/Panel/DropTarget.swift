import Contract
import FeaturesAPI
import ProximityDropAPI

/// A possible target of a drop, with its name in a list.
struct DropTarget: Equatable, Sendable {
    /// The person, by the key of their device or the tag that it announces; nil for anyone who also
    /// presses Drop, and for the person whose device is held to this one.
    var person: NameOrKey?
    /// Whether the other person is the one whose device is held to this one.
    private(set) var isRanged = false
    /// The name; the words for a person who shows none.
    private var name: String
    /// The name with the first digits of the key or tag.
    private var nameWithDigits: String
    private var isReady = false
    /// Whether another target of the list has the same name.
    private var isAmbiguous = false

    /// Any device that also presses Drop.
    static let anyone = DropTarget(
        person: nil, name: localized("Anyone who also presses Drop"), digits: nil)

    /// The person whose device is held to this one.
    static let together = {
        var target = DropTarget(
            person: nil, name: localized("Hold the devices close together"), digits: nil)
        target.isRanged = true
        return target
    }()

    private init(person: NameOrKey?, name: String?, digits: String?, isReady: Bool = false) {
        self.person = person
        self.name = name ?? localized("Someone nearby")
        self.isReady = isReady
        nameWithDigits =
            switch (name, digits) {
            case (let name?, let digits?): "\(name) (\(digits))"
            case (nil, let digits?): localized("Someone nearby (\(digits))")
            case (_, nil): self.name
            }
    }

    /// A person nearby.
    init(_ person: NearbyList.Person) {
        self.init(
            person: NameOrKey(person.device), name: person.name?.string,
            digits: person.suffix.string, isReady: person.isOpenToMeet)
    }

    /// A person nearby whose device is not linked yet.
    init(_ person: NearbyList.Announced) {
        self.init(
            person: NameOrKey(person.tag), name: person.name.string,
            digits: String(person.tag.string.prefix(6)), isReady: person.isOpenToMeet)
    }

    /// A device that pressed Drop at the same time and is not seen nearby.
    init(_ peer: DropStatus.Peer) {
        self.init(person: NameOrKey(peer.device), name: nil, digits: peer.suffix.string)
    }

    /// Whether this is the same choice as another one, under any name.
    func isSame(as other: DropTarget?) -> Bool {
        person == other?.person && isRanged == other?.isRanged
    }

    /// The text in the list. The digits are shown only if another target has the same name.
    var label: String {
        let shown = isAmbiguous ? nameWithDigits : name
        return isReady ? localized("\(shown), ready") : shown
    }

    /// Returns the targets of one list, where those of the same name are told apart by digits.
    static func list(_ targets: [DropTarget]) -> [DropTarget] {
        let uses = Dictionary(grouping: targets) { $0.name }.mapValues(\.count)
        return targets.map { target in
            var target = target
            target.isAmbiguous = (uses[target.name] ?? 0) > 1
            return target
        }
    }
}
