internal import Records

/// Charges people for the work that their runs cause in one merge, beyond storing them, and limits
/// the work of the merge as a whole.
///
/// Each charge is decided before the work is done, so a refused run costs next to nothing. In a
/// group that this replica's person has not joined, the person who invited them is charged.
struct MergeWork {
    /// The work that one run causes.
    struct Need {
        /// Whether the whole space must be merged again.
        var isRebuild = false
        /// The batches that move to other rows of their log; each is a unit, even if the run is
        /// refused afterwards.
        var movedCount = 0
        /// The batches that write the records which must be merged again alone.
        var remerged = Remerge()

        fileprivate var isNothing: Bool {
            !isRebuild && movedCount == 0 && remerged.batchesCount == 0
        }
    }

    /// The estimated work of merging single records again.
    struct Remerge {
        /// The number of batches to be read.
        var batchesCount = 0
        /// The bytes of their bodies.
        var bodiesBytes = 0

        /// An operation is at least one byte of a body.
        fileprivate var unitsMax: Int {
            batchesCount + bodiesBytes / RebuildWork.operationsPerUnit
        }
    }

    /// The work that each person caused; adopt it if the transaction commits.
    private(set) var pace: RebuildPace
    private let inviters: [SpaceID: PersonID]
    private let wallTime: Timestamp
    /// The work of all spaces in this merge, and the spaces that may be rebuilt.
    private var step = StepWork()
    private var rebuilding: Set<SpaceID> = []
    /// The people who must wait for another merge.
    private var postponed: Set<PersonID> = []
    /// The person charged with the rebuild of each space, and the estimate.
    private var rebuilds: [SpaceID: (person: PersonID, units: Int)] = [:]
    /// The number of batches that moved in each space.
    private var moves: [SpaceID: Int] = [:]
    /// The estimates for records that are merged again, by the person who erased something of them.
    private var remerges: [SpaceID: [PersonID: Int]] = [:]

    /// - Parameter inviters: the people charged for everybody's work in some groups.
    init(pace: RebuildPace, inviters: [SpaceID: PersonID], wallTime: Timestamp) {
        self.pace = pace
        self.inviters = inviters
        self.wallTime = wallTime
    }

    /// Whether work of a person in a space was refused and could still not be done.
    mutating func mustWait(_ person: PersonID, in space: SpaceID) -> Bool {
        mustWait(payer(of: person, in: space))
    }

    /// Returns the person who is charged for a person's work in a space.
    private func payer(of person: PersonID, in space: SpaceID) -> PersonID {
        inviters[space] ?? person
    }

    private mutating func mustWait(_ person: PersonID) -> Bool {
        postponed.contains(person) || pace.mustWait(person, wallTime: wallTime)
    }

    /// Counts a rebuild of a space in this merge, once. Returns false if it must wait for another.
    mutating func permitsRebuild(of space: SpaceState) -> Bool {
        permits(Need(isRebuild: true), of: space)
    }

    private mutating func permits(_ need: Need, of space: SpaceState) -> Bool {
        let isFirst = need.isRebuild && !rebuilding.contains(space.id)
        let units =
            (isFirst ? max(1, space.rebuildUnitsMax) : 0) + need.movedCount
            + need.remerged.unitsMax
        guard units == 0 || step.permit(unitsMax: units) else { return false }
        if need.isRebuild { rebuilding.insert(space.id) }
        return true
    }

    /// Charges a person with work.
    /// - Returns: false if the work must wait; nothing is charged then.
    mutating func charge(_ author: PersonID, _ need: Need, of space: SpaceState) -> Bool {
        guard !need.isNothing else { return true }
        let person = payer(of: author, in: space.id)
        guard !mustWait(person) else { return false }
        let before = (step, rebuilding)
        guard permits(need, of: space) else {
            postponed.insert(person)
            return false
        }
        let rebuildUnits = need.isRebuild ? space.rebuildUnits : 0
        let units = rebuildUnits + need.movedCount + need.remerged.batchesCount
        guard pace.charge(person, units, wallTime: wallTime) else {
            // A person who must wait leaves the whole allowance of the step to others.
            (step, rebuilding) = before
            return false
        }
        if need.isRebuild { rebuilds[space.id] = (person, rebuildUnits) }
        moves[space.id, default: 0] += need.movedCount
        if need.remerged.batchesCount > 0 {
            remerges[space.id, default: [:]][author, default: 0] += need.remerged.batchesCount
        }
        return true
    }

    /// Charges a person with moving more batches in a space that this merge rebuilds in any case.
    /// So several forks in one merge take one rebuild, and moving batches takes about as much at
    /// most.
    /// - Returns: false if the work must wait; nothing is charged then.
    mutating func charge(_ author: PersonID, moving count: Int, in space: SpaceState) -> Bool {
        let person = payer(of: author, in: space.id)
        let total = moves[space.id, default: 0] + count
        guard total <= max(space.rebuildUnits, RebuildDebt.unitsMax),
            rebuilds[space.id]?.person == person || !mustWait(person)
        else { return false }
        moves[space.id] = total
        pace.add(count, to: person, wallTime: wallTime)
        return true
    }

    /// Forgives a rebuild that a person was charged with and that is not necessary.
    mutating func forgiveRebuild(of space: SpaceID) {
        guard let charge = rebuilds.removeValue(forKey: space) else { return }
        pace.add(-charge.units, to: charge.person, wallTime: wallTime)
    }

    /// Charges for the work that was done in a space, instead of the estimates.
    mutating func correct(for transaction: SpaceTransaction) {
        let (space, state) = (transaction.state.space.id, transaction.state)
        if let charge = rebuilds[space] {
            pace.add(state.work.units - charge.units, to: charge.person, wallTime: wallTime)
        }
        for (person, estimate) in remerges[space] ?? [:] {
            let units = state.remerged[person]?.units ?? 0
            let payer = payer(of: person, in: space)
            pace.add(units - estimate, to: payer, wallTime: wallTime)
        }
    }
}
