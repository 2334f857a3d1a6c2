internal import GRDB
public import Identity
public import Records

// The people known to this replica, and their devices.
extension Replica {
    /// Stores a person's record, or merges it with the stored one.
    public func learn(_ record: PersonRecord) throws {
        let person = record.person
        let merged = try people[person]?.merging(record) ?? record
        guard merged != people[person] else { return }
        claims = try write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO person VALUES (?, ?)",
                arguments: [person.sql, merged.encoded.sql])
            let known = Set(people[person]?.devices ?? [])
            for device in known.subtracting(merged.devices) {
                try database.execute(
                    sql: "DELETE FROM device WHERE device = ? AND person = ?",
                    arguments: [device.sql, person.sql])
            }
            for device in merged.devices.subtracting(known).sorted() {
                try database.execute(
                    sql: "INSERT INTO device (device, person) VALUES (?, ?)",
                    arguments: [device.sql, person.sql])
            }
            let claims = try StateLoader(database: database).claims()
            if let own = claims[device]?.first { try nameCounterparts(of: own, in: database) }
            return claims
        }
        people[person] = merged
    }

    /// Stores the person each space is shared with, which depends on this replica's own person.
    private func nameCounterparts(of own: PersonID, in database: Database) throws {
        for space in states.all {
            try database.execute(
                sql: "UPDATE space SET person = ? WHERE number = ?",
                arguments: [space.descriptor.counterpart(of: own)?.sql, space.number])
        }
    }

    /// Returns the first person known to list a device as theirs, or nil.
    public func person(of device: DeviceID) -> PersonID? { claims[device]?.first }

    /// Returns the record of the person who wrote a log, or nil if the log is not here.
    public func authorRecord(of log: LogName, in space: SpaceID) -> PersonRecord? {
        states[space]?.logs[log].flatMap { people[$0.person] }
    }

    /// Returns the record of a person, or nil if it is not known.
    public func personRecord(_ person: PersonID) -> PersonRecord? { people[person] }
}

extension SpaceDescriptor {
    /// Returns the other person of a pair, or the owner of the space; nil if there is neither.
    func counterpart(of own: PersonID) -> PersonID? {
        guard case .pair(let one, let other) = self else { return owner }
        return own == one ? other : one
    }
}
