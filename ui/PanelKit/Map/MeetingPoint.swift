/// The location at which a walk or a promise begins, and the reason why the window proposes it.
public struct MeetingPoint: Equatable, Sendable {
    /// The location.
    public var coordinate: Coordinate
    /// The location in a sentence, such as "the point you chose".
    public var text: String

    /// Uses the chosen location, else the mate's, else the user's own; nil if none is known, so
    /// that the user is asked for one.
    public init?(
        chosen: Coordinate?, mate: Coordinate?, mateName: String? = nil, mine: Coordinate?
    ) {
        if let chosen {
            self.init(localized("the point you chose"), chosen)
        } else if let mate {
            self.init(
                mateName.map { localized("\($0)'s last location") }
                    ?? localized("your mate's last location"), mate)
        } else if let mine {
            self.init(localized("your own location"), mine)
        } else {
            return nil
        }
    }

    /// Uses a location that another panel offered, with its name if it has one.
    public init(offered location: Coordinate, name: String? = nil) {
        self.init(name.map { "“\($0)”" } ?? localized("the point you chose"), location)
    }

    /// Uses a location of an existing plan.
    public init(planned location: Coordinate) {
        self.init(localized("the location so far"), location)
    }

    private init(_ text: String, _ coordinate: Coordinate) {
        self.text = text
        self.coordinate = coordinate
    }

    /// "Meet at your own location (37.56650° N, 126.97800° E)."
    public var sentence: String { localized("Meet at \(text) (\(coordinate.text)).") }
}
