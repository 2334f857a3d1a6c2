import PromisesPanel

/// Something that stands on the map.
struct MapMarker: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case me, mate, walk
        /// Where to be for a promise: who is nearer than this many metres has arrived.
        case goal(radiusMetres: Double)
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

    /// Everything in the picture and of the open promise. Who is on the way there stands where
    /// they are now, not where they said last.
    static func all(
        in picture: Picture, promise places: [PromisePlace], nowMs: Int64
    ) -> [MapMarker] {
        let promised = places.compactMap(MapMarker.init)
        let ids = Set(promised.map(\.id))
        return all(in: picture, nowMs: nowMs).filter { !ids.contains($0.id) } + promised
    }

    private init?(_ place: PromisePlace) {
        guard let coordinate = Coordinate(latitude: place.latitude, longitude: place.longitude)
        else { return nil }
        switch place.kind {
        case .goal(let radiusMetres):
            self.init(
                id: "promise", kind: .goal(radiusMetres: radiusMetres), coordinate: coordinate,
                title: place.title, detail: place.detail)
        case .participant(let person):
            self.init(
                id: person, kind: .mate, coordinate: coordinate, title: place.title,
                detail: place.detail, isStale: place.isStale)
        }
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
