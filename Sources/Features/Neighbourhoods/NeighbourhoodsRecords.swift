internal import FeaturesAPI
internal import PluginKit

extension Neighbourhoods {
    static let manifest = Manifest(
        id: CoreFeatures.id, version: 1, collections: [neighbourhood],
        events: [NeighbourhoodEvents.changed.declaration])

    static let nameBytesMax = 256

    /// A neighbourhood that I joined, so that all my devices join it. Leaving erases the record:
    /// nothing says afterwards where I was. Two devices may join one name at the same time, so a
    /// name may have several records.
    static let neighbourhood = RecordCollection(
        "neighbours.neighbourhood/1", table: "neighbours_neighbourhood", spaces: [.own],
        isErasable: true,
        fields: [
            .init(1, "name", .text(bytesMax: nameBytesMax), merge: .append),
            .init(2, "at_ms", .integer(RecordTimes.milliseconds), merge: .append),
        ])

    /// Adds the spaces of the neighbourhoods that I joined.
    static func add(
        to relationships: inout Relationships, reading rows: (_ sql: String) throws -> [Row]
    ) throws {
        relationships.neighbourhoods = Set(
            joined(among: try rows(joinedSQL)).map(\.descriptor))
    }

    /// My records of neighbourhoods, the earliest first.
    static let joinedSQL = """
        SELECT entity, name, at_ms FROM neighbours_neighbourhood
        WHERE name IS NOT NULL ORDER BY stamp, entity
        """

    /// Reads the neighbourhoods from their records, each once and at most ``countMax``: my devices
    /// may have joined some at the same time.
    static func joined(among rows: [Row]) -> [StoredNeighbourhood] {
        var indexes: [NeighbourhoodName: Int] = [:]
        var found: [StoredNeighbourhood] = []
        for row in rows {
            guard let entity = row.entity("entity"),
                let name = row.text("name").flatMap({ try? NeighbourhoodName($0) })
            else { continue }
            if let index = indexes[name] {
                found[index].entities.append(entity)
                continue
            }
            indexes[name] = found.count
            found.append(
                StoredNeighbourhood(
                    name: name, entities: [entity],
                    joined: row.integer("at_ms").map { Timestamp(milliseconds: $0) }))
        }
        return Array(found.prefix(countMax))
    }
}

/// A neighbourhood that I joined, with its records.
struct StoredNeighbourhood: Sendable {
    let name: NeighbourhoodName
    /// Its records, one for each device that joined before it heard of another's record.
    var entities: [EntityID]
    /// The time at which it was joined.
    let joined: Timestamp?

    /// The neighbourhood's space.
    var descriptor: SpaceDescriptor { .open(name: name.canonical) }
}
