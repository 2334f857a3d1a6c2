internal import PluginKit

/// What rooms and the people in them are called: asked for once for an answer, however many rooms
/// its messages are of.
struct RoomNames: Sendable {
    /// What mates are called.
    private let mates: [PersonID: String]
    /// What groups are called.
    private var titles: [Int64: String] = [:]
    /// What people call themselves in a group.
    private var others: [Int64: [PersonID: String]] = [:]

    /// Knows the names of mates alone.
    init(mates: [PersonID: String]) { self.mates = mates }

    /// Notes a row of ``titlesSQL``. Two plugins may name one group; the first that does says what
    /// it is.
    mutating func noteTitle(_ row: Row) {
        guard let space = row.integer("space"), titles[space] == nil,
            let title = row.text("title").flatMap(ChatLimits.title.clip)
        else { return }
        titles[space] = title
    }

    /// Notes a row of ``namesSQL``. A name that somebody gives themselves never stands for a
    /// mate's.
    mutating func noteName(_ row: Row) {
        guard let space = row.integer("space"), let person = row.person("person"),
            let name = row.text("name").flatMap(ChatLimits.title.clip)
        else { return }
        others[space, default: [:]][person] = "\(name) · \(person.suffix)"
    }

    /// What a room is called: like the mate, or as its group.
    func title(of space: Int64, with mate: PersonID?) -> String {
        mate.map { mates[$0] ?? $0.suffix } ?? titles[space] ?? Room.untitled
    }

    /// What somebody is called in a room, or nil where nobody has said.
    func name(of person: PersonID, in space: Int64) -> String? {
        mates[person] ?? others[space]?[person]
    }

    /// The titles of some groups.
    static func titlesSQL(of spaces: Set<Int64>) -> String {
        "SELECT space, title FROM host_group WHERE space IN (\(list(spaces)))"
    }

    /// The names in some groups.
    static func namesSQL(of spaces: Set<Int64>) -> String {
        "SELECT space, person, name FROM host_group_name WHERE space IN (\(list(spaces)))"
    }

    private static func list(_ spaces: Set<Int64>) -> String {
        spaces.sorted().map(String.init).joined(separator: ", ")
    }
}

extension Chat {
    /// What these rooms and the people in them are called.
    func names(in spaces: Set<Int64>) async throws -> RoomNames {
        var names = RoomNames(mates: try await context.core.names())
        for row in try await context.replica.rows(RoomNames.titlesSQL(of: spaces)) {
            names.noteTitle(row)
        }
        for row in try await context.replica.rows(RoomNames.namesSQL(of: spaces)) {
            names.noteName(row)
        }
        return names
    }
}
