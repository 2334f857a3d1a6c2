/// Something of a promise that stands on the window's map.
public struct PromisePlace: Equatable, Sendable {
    /// What it stands for.
    public enum Kind: Equatable, Sendable {
        /// Where to be; who is nearer than this many metres has arrived.
        case goal(radiusMetres: Double)
        /// A participant on the way, by their key.
        case participant(String)
    }

    /// Who is nearer than this to the place has arrived, in metres.
    static let arrivalMetres = 30.0

    public let kind: Kind
    /// Degrees north and east.
    public let latitude, longitude: Double
    /// What it is called.
    public let title: String
    /// How far there is to go, and how old the position is.
    public let detail: String
    /// Whether the position may no longer be true.
    public let isStale: Bool

    /// The place of a promise and those on the way there, but not oneself, whom the map shows
    /// anyway.
    /// - Parameter passed: seconds since the node told it.
    static func all(
        of promise: PromiseSummary, people: [PromisePerson], passed: Int64
    ) -> [PromisePlace] {
        let goal = PromisePlace(
            kind: .goal(radiusMetres: arrivalMetres), latitude: promise.latitude,
            longitude: promise.longitude, title: promise.title, detail: promise.place ?? "",
            isStale: false)
        return [goal]
            + people.filter { !$0.me }.compactMap { person in
                person.position.map { position in
                    let age = position.ageSeconds + passed
                    return PromisePlace(
                        kind: .participant(person.person), latitude: position.latitude,
                        longitude: position.longitude, title: person.name,
                        detail: PromiseText.line(of: person, ageSeconds: age),
                        isStale: age > PromiseText.staleSeconds)
                }
            }
    }
}
