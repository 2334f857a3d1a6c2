internal import Records

/// The people whom the core has named to open spaces: retained, own and blocked.
struct OpenPeople {
    /// Mates and people met; nil before the core has named them.
    var retained: Set<PersonID>?
    /// The people who claim this replica's device.
    var own: Set<PersonID> = []
    /// The people whose batches are not stored.
    var blocked: Set<PersonID> = []
    /// The bytes of the records of people who are known only because of open spaces.
    var recordBytes: [PersonID: Int] = [:]

    /// Whether what a person wrote is never removed to make room. Before the core has named those
    /// people, this is so for everybody.
    func isRetained(_ person: PersonID) -> Bool {
        own.contains(person) || (retained?.contains(person) ?? true)
    }
}
