public import Contract

/// A value that one panel can hand to another, though neither knows the other.
///
/// A panel that accepts a kind declares it with the title that the menus of others show:
///
/// ```swift
/// static let accepts: [Offer.Kind: String] = [.track: "Make a post"]
/// ```
///
/// A panel that has such a value asks ``PanelContext/actions(for:)`` for the entries of its menu.
public enum Offer: Equatable, Sendable {
    /// A recorded way.
    case track(MapTrack)
    /// A location, with its name if it has one.
    case location(Coordinate, name: String?)
    /// A picture, by the path of its file.
    case photo(path: String)
    /// A moment.
    case date(Timestamp)
    /// A person, by their key.
    case person(Key)

    /// The kind of an offered value.
    public enum Kind: CaseIterable, Sendable {
        case track, location, photo, date, person
    }

    /// The kind of this value.
    public var kind: Kind {
        switch self {
        case .track: .track
        case .location: .location
        case .photo: .photo
        case .date: .date
        case .person: .person
        }
    }
}
