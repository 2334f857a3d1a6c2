internal import PluginKit

/// The names of rooms and of the people in them. They are read once for an answer, even if its
/// messages are from many rooms.
struct RoomNames: Sendable {
    /// The names of mates.
    private let mates: [PersonID: String]
    /// The titles of groups.
    private var titles: [Int64: String] = [:]
    /// The names that people use for themselves in a group.
    private var others: [Int64: [PersonID: String]] = [:]

    /// Creates the names of mates only.
    init(mates: [PersonID: String]) { self.mates = mates }

    /// Adds a row of ``titlesSQL``. If two plugins name one group, the first one decides its title.
    mutating func recordTitle(_ row: Row) {
        guard let space = row.integer("space"), titles[space] == nil,
            let title = row.text("title").flatMap(ChatLimits.title.clip)
        else { return }
        titles[space] = title
    }

    /// Adds a row of ``namesSQL``. A name that a person uses in a group never replaces a mate's
    /// name.
    mutating func recordName(_ row: Row) {
        guard let space = row.integer("space"), let person = row.person("person"),
            let name = row.text("name").flatMap(ChatLimits.title.clip)
        else { return }
        others[space, default: [:]][person] = person.called(name)
    }

    /// Returns the title of a room: the mate's name, or the group's title.
    func title(of space: Int64, with mate: PersonID?) -> String {
        mate.map { mates[$0] ?? $0.suffix } ?? titles[space] ?? Room.untitled
    }

    /// Returns the name of a person in a room, or nil if no name is known.
    func name(of person: PersonID, in space: Int64) -> String? {
        mates[person] ?? others[space]?[person]
    }

    /// Returns the statement that reads the titles of some groups.
    static func titlesSQL(of spaces: Set<Int64>) -> String {
        "SELECT space, title FROM host_group WHERE space IN (\(list(spaces)))"
    }

    /// Returns the statement that reads the names in some groups.
    static func namesSQL(of spaces: Set<Int64>) -> String {
        "SELECT space, person, name FROM host_group_name WHERE space IN (\(list(spaces)))"
    }

    private static func list(_ spaces: Set<Int64>) -> String {
        spaces.sorted().map(String.init).joined(separator: ", ")
    }
}

extension Chat {
    /// Returns the names of these rooms and of the people in them.
    func names(in spaces: Set<Int64>) async throws -> RoomNames {
        var names = RoomNames(mates: try await context.core.names())
        for row in try await context.replica.rows(RoomNames.titlesSQL(of: spaces)) {
            names.recordTitle(row)
        }
        for row in try await context.replica.rows(RoomNames.namesSQL(of: spaces)) {
            names.recordName(row)
        }
        return names
    }
}
