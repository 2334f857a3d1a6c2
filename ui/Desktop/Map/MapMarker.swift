/// Something that stands on the map.
struct MapMarker: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case me, mate, walk
    }

    /// What it stands for: a person, a request, or "me".
    var id: String
    var kind: Kind
    var coordinate: Coordinate
    var title: String
    /// How old the place is, or what is planned there.
    var detail: String
    /// Whether the fix is older than ``staleSeconds``.
    var isStale = false

    /// After this many seconds a place is drawn faded: it may no longer be true.
    static let staleSeconds: Int64 = 120

    /// Everything that has a place in the picture, oneself first, then mates and open requests.
    static func all(in picture: Picture, nowMs: Int64) -> [MapMarker] {
        let names = picture.mates.names
        let mates = picture.mates.mates.compactMap { mate in
            MapMarker(mate, name: names[mate.person] ?? mate.suffix, nowMs: nowMs)
        }
        let walks = picture.walks.requests.filter { $0.state.isOpen || $0.state == .accepted }
        return [MapMarker(picture.place, nowMs: nowMs)].compactMap { $0 } + mates
            + walks.compactMap { MapMarker($0, names: names) }
    }

    private init?(_ place: MyPlace, nowMs: Int64) {
        guard let coordinate = place.coordinate else { return nil }
        self.init(
            id: "me", kind: .me, coordinate: coordinate, title: "Me",
            detail: place.atMs.map { AgeText.spell(sinceMs: $0, nowMs: nowMs) } ?? "")
    }

    private init?(_ mate: Mate, name: String, nowMs: Int64) {
        guard let place = mate.place, let coordinate = place.coordinate else { return nil }
        let seconds = place.ageSeconds(nowMs: nowMs)
        self.init(
            id: mate.person, kind: .mate, coordinate: coordinate, title: name,
            detail: AgeText.spell(seconds: seconds), isStale: seconds > Self.staleSeconds)
    }

    private init?(_ walk: WalkRequest, names: [String: String]) {
        guard let coordinate = walk.coordinate else { return nil }
        let name = names[walk.person] ?? walk.name ?? "somebody"
        self.init(
            id: walk.id, kind: .walk, coordinate: coordinate, title: "Walk with \(name)",
            detail: walk.place ?? "")
    }

    private init(
        id: String, kind: Kind, coordinate: Coordinate, title: String, detail: String,
        isStale: Bool = false
    ) {
        self.id = id
        self.kind = kind
        self.coordinate = coordinate
        self.title = title
        self.detail = detail
        self.isStale = isStale
    }
}

extension Place {
    /// How old the fix is now: by its time where that is told, else as old as it was said to be.
    func ageSeconds(nowMs: Int64) -> Int64 {
        guard let atMs else { return Int64(ageSeconds ?? 0) }
        let (age, overflow) = nowMs.subtractingReportingOverflow(atMs)
        return overflow ? 0 : max(age / 1000, 0)
    }
}
