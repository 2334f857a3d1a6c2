public import Contract

/// A value that one panel can pass to another. The two panels do not know each other.
///
/// A panel that accepts a kind of value declares it with the title for other panels' menus, and
/// receives the value when a user chooses that title:
///
/// ```swift
/// static let accepts: [Offer.Kind: String] = [.location: "New promise here…"]
///
/// func accept(_ offer: Offer) {
///     guard case .location(let location, let name) = offer else { return }
///     context.present(PromiseSheet(at: location, name: name))
/// }
/// ```
///
/// A panel that has such a value makes a menu of the titles. Panels that are not linked, and those
/// that refuse this value in ``Panel/canAccept(_:)``, are not in it:
///
/// ```swift
/// let more = MenuButton { context.actions(for: .location(chosen, name: nil)) }
///     .titled("More for the chosen point")
/// ```
///
/// ``PanelContext/actions(for:)`` returns the same entries as actions, for other widgets. A marker
/// on the map offers ``MapMarker/offer``.
public enum Offer: Equatable, Sendable {
    /// A recorded track.
    case track(MapTrack)
    /// A file with a recorded track in GPX or GeoJSON, by its path. Its points have times.
    case trackFile(path: String)
    /// A location, with its name if it has one.
    case location(Coordinate, name: String?)
    /// A picture, by the path of its file.
    case photo(path: String)
    /// A moment.
    case date(Timestamp)
    /// A person, by their key.
    case person(Key)
    /// A person nearby who is no mate, by their key, with the words by which they are called.
    case stranger(Key, name: String)
    /// A device nearby, by its key.
    case device(Key)
    /// A device nearby that is not linked yet, by the tag that it announces.
    case announced(AnnouncedTag)
    /// The people of a group, such as those of a promise, by its key.
    case group(Key)
    /// A room of the chat, by its key: it may be too new to be in a list of rooms.
    case room(Key)

    /// The kind of an offered value, which a panel accepts as a whole.
    ///
    /// ```swift
    /// Offer.person(mate).kind == .person
    /// ```
    public enum Kind: CaseIterable, Sendable {
        case track, trackFile, location, photo, date, person, stranger, device, announced, group,
            room
    }

    /// The kind of this value.
    public var kind: Kind {
        switch self {
        case .track: .track
        case .trackFile: .trackFile
        case .location: .location
        case .photo: .photo
        case .date: .date
        case .person: .person
        case .stranger: .stranger
        case .device: .device
        case .announced: .announced
        case .group: .group
        case .room: .room
        }
    }

    /// The person; nil if another kind of value is offered. A panel asks for what it accepts rather
    /// than switch over all kinds, so a new kind changes no panel:
    ///
    /// ```swift
    /// func canAccept(_ offer: Offer) -> Bool { offer.person.map(context.people.isMate) ?? false }
    /// ```
    public var person: Key? { if case .person(let person) = self { person } else { nil } }

    /// The group; nil if another kind of value is offered.
    public var group: Key? { if case .group(let group) = self { group } else { nil } }

    /// The room; nil if another kind of value is offered.
    public var room: Key? { if case .room(let room) = self { room } else { nil } }
}
