internal import FeaturesAPI
internal import PluginKit

/// The neighbourhoods that I joined, as records of my own space: all my devices join and leave
/// together. The engine opens and closes the spaces, as ``Relationships/neighbourhoods`` says.
struct Neighbourhoods: Feature {
    let context: PluginContext

    /// The maximum number of joined neighbourhoods. Each may take 64 MiB.
    static let countMax = 16

    /// Returns the event that makes followers list the neighbourhoods again.
    func events(after changes: [RecordChange]) async throws -> [EventMessage] {
        [EventMessage(NeighbourhoodEvents.changed, NeighbourhoodChange())]
    }

    /// Returns the joined neighbourhoods in the order in which they were joined.
    func joined() async throws -> [StoredNeighbourhood] {
        Self.joined(among: try await context.replica.rows(Self.joinedSQL))
    }

    /// Performs `neighbourhood join`.
    func join(
        _ name: NeighbourhoodName, isMeant: Bool
    ) async throws -> JoinedNeighbourhood {
        let known = try await joined()
        guard !known.contains(where: { $0.name == name }) else {
            throw CommandFault.conflict("You joined this neighbourhood already.")
        }
        guard known.count < Self.countMax else {
            throw CommandFault.refused(
                "You are in \(Self.countMax) neighbourhoods, and no more are possible: leave one "
                    + "first.")
        }
        guard isMeant || !known.isEmpty else {
            throw CommandFault.refused("\(JoinNeighbourhood.audience) If you want this, add --yes.")
        }
        try await context.author(
            [
                .create(
                    collection: Self.neighbourhood.name, nonce: context.random.nonce(),
                    fields: [
                        "name": .text(name.string), "at_ms": .integer(context.now.milliseconds),
                    ])
            ], in: .own(context.me))
        return JoinedNeighbourhood(
            id: Key(SpaceDescriptor.open(name: name.canonical).id), name: name.string,
            audience: JoinNeighbourhood.audience)
    }

    /// Performs `neighbourhood leave`.
    func leave(_ name: NeighbourhoodName) async throws -> LeftNeighbourhood {
        guard let known = try await joined().first(where: { $0.name == name }) else {
            throw CommandFault.notFound(
                "You have not joined this neighbourhood; see 'neighbourhood list'.")
        }
        let peopleCount = try await peopleCounts()[known.descriptor] ?? 0
        // Each record is erased by a batch of its own.
        for entity in known.entities {
            do {
                try await context.author(
                    [.erase(collection: Self.neighbourhood.name, entity: entity)],
                    in: .own(context.me))
            } catch EditFault.unknownEntity {
                // Another device of mine has erased it since it was read.
            }
        }
        return LeftNeighbourhood(
            name: known.name.string, deleted: LeaveNeighbourhood.deleted(peopleCount: peopleCount))
    }

    /// Returns the number of people of each neighbourhood whose logs are stored here.
    private func peopleCounts() async throws -> [SpaceDescriptor: Int] {
        let rows = try await context.replica.rows(
            """
            SELECT s.descriptor AS descriptor, count(DISTINCT l.person) AS people
            FROM waggle_space s JOIN waggle_log l ON l.space = s.space
            WHERE s.kind = 'open' GROUP BY s.space
            """)
        return Dictionary(
            rows.compactMap { row in
                row.descriptor("descriptor").map { ($0, Int(row.integer("people") ?? 0)) }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Answers `neighbourhood list`.
    func list() async throws -> NeighbourhoodList {
        let counts = try await peopleCounts()
        return NeighbourhoodList(
            neighbourhoods: try await joined().sorted { $0.name.canonical < $1.name.canonical }
                .map { known in
                    NeighbourhoodList.Entry(
                        id: Key(known.descriptor.id), name: known.name.string,
                        peopleCount: counts[known.descriptor] ?? 0, joinedMs: known.joined)
                })
    }
}
