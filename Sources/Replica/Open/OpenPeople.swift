internal import Records

/// The people who matter to the room of open spaces: retained, own and blocked ones, as the core
/// has named them, and those who are linked.
struct OpenPeople {
    /// Mates and people met; nil before the core has named them.
    var retained: Set<PersonID>?
    /// The people who claim this replica's device.
    var own: Set<PersonID> = []
    /// The people whose batches are not stored.
    var blocked: Set<PersonID> = []
    /// The people at the other ends of links.
    var linked: Set<PersonID> = []

    /// Whether what a person wrote is never removed to make room. Before the core has named those
    /// people, this is so for everybody.
    func isRetained(_ person: PersonID) -> Bool {
        own.contains(person) || (retained?.contains(person) ?? true)
    }
}
