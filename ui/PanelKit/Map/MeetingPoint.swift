/// The location at which a walk or a promise begins, and the reason why the window proposes it.
public struct MeetingPoint: Equatable, Sendable {
    /// The location.
    public var coordinate: Coordinate
    /// The location in a sentence, such as "the point you chose".
    public var text: String

    /// Uses the chosen location, else the mate's, else the user's own, else the middle of the map.
    public init(chosen: Coordinate?, mate: Coordinate?, mine: Coordinate?, middle: Coordinate) {
        if let chosen {
            self.init("the point you chose", chosen)
        } else if let mate {
            self.init("their last location", mate)
        } else if let mine {
            self.init("your own location", mine)
        } else {
            self.init("the middle of the map", middle)
        }
    }

    /// Uses a location that another panel offered, with its name if it has one.
    public init(offered location: Coordinate, name: String?) {
        self.init(name.map { "“\($0)”" } ?? "the point you chose", location)
    }

    private init(_ text: String, _ coordinate: Coordinate) {
        self.text = text
        self.coordinate = coordinate
    }
}
