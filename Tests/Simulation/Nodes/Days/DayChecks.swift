internal import Foundation
internal import PluginKit
internal import Records
internal import Replica

/// The checks of rooms and promises, at any time and at rest.
struct DayChecks {
    let residents: [Resident]
    let book: DayBook
    let world: World

    private var general: Checks {
        Checks(
            people: residents.map(\.person), world: world,
            collections: Days.plugins.flatMap { $0.manifest.collections })
    }

    /// Checks the promises that no fault may break.
    func atAnyTime() async {
        await general.atAnyTime()
        for resident in residents where resident.node.isUp {
            do {
                try await messagesAreThere(for: resident)
                try await groupsAreOfTheirPeople(at: resident)
                try await recordDepartures()
            } catch is NodeIsGone {
                continue
            } catch {
                world.violated("\(resident.node.name) cannot be looked at: \(error)")
            }
        }
    }

    /// Checks the promises that must hold some time after the last fault.
    func atRest() async {
        await general.atRest()
        do {
            try await roomsAreEqual()
            for resident in residents { try await unreadIsRight(for: resident) }
            try await promisesAreEqual()
            for resident in residents { try filesAreClean(of: resident, try await allowed()) }
        } catch {
            world.violated("nodes at rest cannot be looked at: \(error)")
        }
    }

    // MARK: - At any time

    /// Checks that a person's messages are stored once, unless they were deleted.
    private func messagesAreThere(for resident: Resident) async throws {
        let before = book.with { $0.messages.filter { $0.author == resident.id } }
        var counts: [String: Int] = [:]
        for row in try await resident.node.rows(
            "SELECT text FROM chat_message WHERE creator = ?", [.bytes(resident.id.bytes)])
        {
            counts[row.text("text") ?? "", default: 0] += 1
        }
        let after = book.with { $0.messages.filter { $0.author == resident.id } }
        for (said, later) in zip(before, after) {
            let count = counts[said.text] ?? 0
            if said.id != nil, later.isErased.values == [false], count == 0 {
                world.violated("\(resident.node.name) lost a message: \(said.text)")
            }
            if said.isErased.sure == true, count > 0 {
                world.violated("\(resident.node.name) holds a deleted message: \(said.text)")
            }
            if count > 1 { world.violated("\(resident.node.name) holds \(said.text) twice") }
        }
    }

    /// Checks that only invited people hold data of a promise.
    private func groupsAreOfTheirPeople(at resident: Resident) async throws {
        guard let replica = resident.node.replica else { throw NodeIsGone() }
        for space in await replica.spaces() where space.descriptor.kind == .group {
            guard space.batches > 0, let promise = book.promise(space.id.description),
                promise.standings[resident.id] == nil
            else { continue }
            world.violated("\(resident.node.name) holds batches of a promise it is not asked to")
        }
    }

    // MARK: - Files

    /// Returns the allowed coordinates: people's starting points in their records, and the promised
    /// locations.
    private func allowed() async throws -> Set<Double> {
        try await recordDepartures()
        return book.with { state in
            state.departures.union(
                state.promises.values.flatMap { [$0.location.latitude, $0.location.longitude] })
        }
    }

    /// Records people's starting points. If a promise is moved several times, a later one replaces
    /// an earlier one in the table, and both are in the log.
    private func recordDepartures() async throws {
        let columns = ["", "again_"].flatMap { prefix in
            ["latitude", "longitude"].map { "\(prefix)departed_\($0)" }
        }
        for resident in residents where resident.node.isUp {
            for row in try await resident.node.rows(
                "SELECT \(columns.joined(separator: ", ")) FROM promises_attendance")
            {
                book.with { $0.departures.formUnion(columns.compactMap { row.real($0) }) }
            }
        }
    }

    /// Checks that files contain no locations other than the allowed ones, and no deleted messages.
    private func filesAreClean(of resident: Resident, _ allowed: Set<Double>) throws {
        var names: [[UInt8]: String] = [:]
        let (fixes, messages) = book.with { ($0.fixes, $0.messages) }
        for (person, fixes) in fixes {
            // A location that a person enters by hand is one of their own records.
            for fix in fixes where !(fix.isByHand && person == resident.id) {
                for number in [fix.spot.latitude, fix.spot.longitude]
                where !allowed.contains(number) {
                    for needle in Self.encodings(of: number) {
                        names[needle] = "\(name(of: person))'s location of \(fix)"
                    }
                }
            }
        }
        for said in messages where said.isErased.sure == true && said.id != nil {
            guard stays(resident, in: said.room) else { continue }
            names[Array(said.text.utf8)] = "the deleted message \(said.text)"
        }
        let search = ByteSearch(Array(names.keys))
        let files = FileManager.default
        for file in try files.contentsOfDirectory(atPath: resident.node.homeDirectory) {
            let path = "\(resident.node.homeDirectory)/\(file)"
            guard let bytes = files.contents(atPath: path) else { continue }
            for needle in search.found(in: Array(bytes)) {
                world.violated("\(resident.node.name) has \(names[needle] ?? "?") in \(file)")
            }
        }
        for _ in names { world.count("byte strings looked for") }
    }

    func name(of person: PersonID) -> String {
        residents.first { $0.id == person }?.node.name ?? person.suffix
    }

    private static func encodings(of number: Double) -> [[UInt8]] {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) }
        return [bytes, bytes.reversed(), Array(String(number).utf8)]
    }

    /// Whether new messages of a room are still sent to a person.
    func stays(_ resident: Resident, in room: String) -> Bool {
        guard let promise = book.promise(room) else {
            return true
        }
        return promise.standings[resident.id]?.sure == .member
    }
}
