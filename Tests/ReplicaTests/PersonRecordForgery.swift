import Identity
import Records

/// Records that are well signed and still claim what is not theirs.
enum PersonRecordForgery {
    /// A person's record that lists a device of somebody else.
    static func listing(_ device: DeviceID, by someone: Someone) throws -> PersonRecord {
        try someone.record.adding(
            DeviceEntry.adding(device, to: someone.person, by: someone.key))
    }
}
