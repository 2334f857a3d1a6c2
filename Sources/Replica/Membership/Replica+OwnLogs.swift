internal import Records

// Checks whether this device's own logs can continue.
extension Replica {
    /// Whether another device of the same person has ended a log that this device would continue.
    /// Batches written there would not count, so only a new key may write.
    public func hasEndedOwnLog() -> Bool {
        states.all.contains { state in
            guard let person = try? ownPerson(in: state),
                let branch = state.membership.branch(of: person)
            else { return false }
            let rows = state.rows(of: device).filter { state.root(of: $0).branch == branch }
            return !rows.isEmpty && !rows.contains { state.membership.goesOn($0, by: person) }
        }
    }
}
