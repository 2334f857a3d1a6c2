/// What plugins may know of one another without knowing each other: views that the host puts
/// together from what manifests declare, and that every plugin may read.
public enum SharedViews {
    /// The column `person`: my mates.
    public static let mates = "host_mate"
    /// The column `person`: whom I blocked.
    public static let blocked = "host_blocked"
    /// The columns `space`, `feature` (the id of the plugin whose group it is), `title` and
    /// `is_over` (1 where that plugin needs the group no more, else 0): the groups that some plugin
    /// names. Others wrote the titles, so cut what you show of them.
    public static let groups = "host_group"
    /// The columns `space`, `person` and `name`: what people call themselves in a group.
    public static let groupNames = "host_group_name"

    /// The names of all of them.
    public static let names: Set<String> = [mates, blocked, groups, groupNames]

    /// The views over what these manifests declare, in their order.
    public static func views(over manifests: [Manifest]) -> [Manifest.View] {
        let provision = manifests.compactMap(\.provides).first
        let naming = manifests.compactMap { manifest in manifest.groups.map { (manifest.id, $0) } }
        return [
            view(
                mates, of: ["person"],
                provision.map {
                    ["SELECT person FROM \($0.relationsView) WHERE pair_state = 'mate'"]
                }),
            view(
                blocked, of: ["person"],
                provision.map { ["SELECT person FROM \($0.blockedView)"] }),
            view(
                groups, of: ["space", "feature", "title", "is_over"],
                naming.map { feature, views in
                    "SELECT space, '\(feature)' AS feature, title, is_over "
                        + "FROM \(views.titlesView)"
                }),
            view(
                groupNames, of: ["space", "person", "name"],
                naming.map { "SELECT space, person, name FROM \($1.namesView)" }),
        ]
    }

    /// Where nobody declares anything a view has its columns and no rows.
    private static func view(
        _ name: String, of columns: [String], _ selects: [String]?
    ) -> Manifest.View {
        let empty = columns.map { "NULL AS \($0)" }.joined(separator: ", ")
        let parts = selects.flatMap { $0.isEmpty ? nil : $0 }
        return Manifest.View(
            name, parts?.joined(separator: " UNION ALL ") ?? "SELECT \(empty) WHERE 0")
    }
}
