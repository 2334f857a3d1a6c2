public import Records

/// Views that every plugin may read. The host makes them from the views that manifests name, so
/// plugins use one another's rows without knowing one another.
public enum SharedViews {
    /// The column `person`: my mates.
    public static let mates = "host_mate"
    /// The column `person`: the people I blocked.
    public static let blocked = "host_blocked"
    /// The columns `purpose` (the raw value of an ``AgreementPurpose``), `person`, `stands` and
    /// `was_mate`: the people with whom I had an agreement, whether one of the purpose stands, and
    /// whether they are or were a mate.
    public static let agreements = "host_agreement"
    /// The columns `space`, `feature` (the id of the plugin whose group it is), `title` and
    /// `over_ms` (the time from which that plugin does not need the group any more, in milliseconds
    /// since 1970; null if it always does): the groups that some plugin names. Others wrote the
    /// titles, so cut what you show of them.
    public static let groups = "host_group"
    /// The columns `space`, `person` and `name`: the names that people use in a group.
    public static let groupNames = "host_group_name"
    /// The column `word`: the words that this person muted; see ``MutedWords``.
    public static let mutedWords = "host_muted"
    /// The columns `walk` (the id), `started_ms`, `elapsed_ms` and `distance_m`: the walks that
    /// this person recorded.
    public static let walks = Kind.walks.rawValue

    /// The names of all these views.
    public static let names: Set<String> = Set(
        [mates, blocked, agreements, groups, groupNames, mutedWords]
            + Kind.allCases.map(\.rawValue))

    /// A kind of rows that a plugin lists for the others, in ``Manifest/shares``.
    public enum Kind: String, CaseIterable, Sendable {
        /// The recorded walks.
        case walks = "host_walk"

        /// The columns that the plugin's view must have.
        public var columns: [String] {
            switch self {
            case .walks: ["walk", "started_ms", "elapsed_ms", "distance_m"]
            }
        }
    }

    /// Returns the shared views over the views that these plugins name, in their order. People and
    /// muted words are those of the core plugin, if it is one of them.
    public static func views(over plugins: [any Plugin.Type]) -> [Manifest.View] {
        let core = plugins.lazy.compactMap { $0 as? any CorePlugin.Type }.first
        let people = core?.people
        let naming = plugins.compactMap { plugin in
            plugin.manifest.groups.map { (plugin.manifest.id, $0) }
        }
        return [
            view(
                mates, of: ["person"],
                people.map { ["SELECT person FROM \($0.matesView)"] }),
            view(
                blocked, of: ["person"],
                people.map { ["SELECT person FROM \($0.blockedView)"] }),
            view(
                agreements, of: ["purpose", "person", "stands", "was_mate"],
                people?.agreementsView.map {
                    ["SELECT purpose, person, stands, was_mate FROM \($0)"]
                }),
            view(
                groups, of: ["space", "feature", "title", "over_ms"],
                naming.map { feature, views in
                    "SELECT space, '\(feature)' AS feature, title, over_ms "
                        + "FROM \(views.titlesView)"
                }),
            view(
                groupNames, of: ["space", "person", "name"],
                naming.map { "SELECT space, person, name FROM \($1.namesView)" }),
            view(
                mutedWords, of: ["word"],
                core?.mutedWords.map { ["SELECT word FROM \($0.view)"] }),
        ]
            + Kind.allCases.map { kind in
                view(
                    kind.rawValue, of: kind.columns,
                    plugins.compactMap { $0.manifest.shares[kind] }.map {
                        "SELECT \(kind.columns.joined(separator: ", ")) FROM \($0)"
                    })
            }
    }

    /// Returns a view; if no manifest contributes to it, it has its columns and no rows.
    private static func view(
        _ name: String, of columns: [String], _ selects: [String]?
    ) -> Manifest.View {
        let empty = columns.map { "NULL AS \($0)" }.joined(separator: ", ")
        let parts = selects.flatMap { $0.isEmpty ? nil : $0 }
        return Manifest.View(
            name, parts?.joined(separator: " UNION ALL ") ?? "SELECT \(empty) WHERE 0")
    }
}

extension ReplicaAccess {
    /// Returns the people in a view with the column `person`, such as ``SharedViews/mates``.
    public func people(in view: String) async throws -> Set<PersonID> {
        Set(try await rows("SELECT person FROM \(view)").compactMap { $0.person("person") })
    }
}
