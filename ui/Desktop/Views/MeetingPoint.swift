/// Where a walk begins, and how the window came to propose it.
struct MeetingPoint: Equatable, Sendable {
    var coordinate: Coordinate
    var words: String

    /// The chosen point, else the mate's place, else one's own, else the middle of the map.
    init(chosen: Coordinate?, mate: Coordinate?, mine: Coordinate?, middle: Coordinate) {
        if let chosen {
            self.init("the point you chose", chosen)
        } else if let mate {
            self.init("the place where they were", mate)
        } else if let mine {
            self.init("your own place", mine)
        } else {
            self.init("the middle of the map", middle)
        }
    }

    private init(_ words: String, _ coordinate: Coordinate) {
        self.words = words
        self.coordinate = coordinate
    }
}
