/// The reason a batch was refused. A refused batch is never stored or forwarded.
public enum BatchFault: Error, Hashable, Sendable {
    /// The batch written here is longer than a batch may be.
    case tooLong(bytes: Int, limit: Int)
    /// The batch written here has more operations than a batch may have.
    case tooManyOperations(count: Int, limit: Int)
    /// The batch is not dated after the one before it in its log.
    case stampNotRising
    /// The author's key did not sign this chain.
    case signatureMismatch
    /// The author's person may not write in the space, or the device belongs to no known person.
    case notAMember(DeviceID)
    /// The author's person was removed or left, and the batch comes after the part of its log that
    /// counts.
    case beyondCut(DeviceID)
    /// The author's person removed this device, and no cut here says which of its batches count.
    /// They are stored when they arrive again after the cut.
    case notEnded(DeviceID)
    /// This device's person may only read in the space.
    case mayOnlyRead
    /// This device's person has not accepted the role they were given.
    case notAccepted
    /// Batches are missing between the stored ones and the first of the run.
    case gap(expected: UInt64, found: UInt64)
    /// The author signed several batches with one number, and this one is not kept: four sides of
    /// a forked log are.
    case forked(author: DeviceID, number: UInt64)
    /// The run begins a log under the name of one side of a fork, which continues another log.
    case notABeginning(DeviceID)
    /// Too many batches of the device are dated over 24 h ahead, so no more are held, or one of
    /// them has too many operations on unknown entities. They are stored when they arrive again
    /// after some of these are due.
    case tooFarAhead(DeviceID)
    /// Too many operations of the device's person wait for entities that are not known here.
    /// Further batches with such operations are stored when they arrive again after some of these
    /// entities.
    case tooManyWaiting(DeviceID)
    /// The batches would make this replica merge the whole space again, and batches of the same
    /// person did so too often. They are stored when they arrive again later.
    case tooSoon(DeviceID)
    /// There is no room here for further batches of the device's person. They are stored when they
    /// arrive again after room was made.
    case noRoom(DeviceID)
    /// This device's person has written so much in the space that others store no more of it. Only
    /// erases and control operations are written until some of it is erased.
    case ownRoomUsed(limitBytes: Int)
    /// This device's person has written as much in the open space as others store of them up to
    /// today. Only erases and ends of logs are written before the next day begins.
    case ownDayUsed(until: Timestamp)
    /// This device has not opened the space.
    case unknownSpace
}

extension BatchFault: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .tooLong(let bytes, let limit): "the batch has \(bytes) bytes; \(limit) is the limit"
        case .tooManyOperations(let count, let limit):
            "the batch has \(count) operations; \(limit) is the limit"
        case .stampNotRising: "the batch is not dated after the one before it"
        case .signatureMismatch: "the author's signature does not match"
        case .notAMember(let device): "device \(device.suffix) may not write in this space"
        case .beyondCut(let device):
            "device \(device.suffix) was removed from this space, and this batch came after"
        case .notEnded(let device):
            "device \(device.suffix) was removed by its person, and it is not known here which of "
                + "its batches count"
        case .mayOnlyRead: "you may read in this space but not write"
        case .notAccepted: "accept the invitation to this space before you write in it"
        case .gap(let expected, let found): "batch \(found) arrived, but \(expected) is the next"
        case .forked(let author, let number):
            "device \(author.suffix) signed too many batches with number \(number)"
        case .notABeginning(let device):
            "device \(device.suffix) begins a log under the name of one side of a fork"
        case .tooFarAhead(let device):
            "device \(device.suffix) dated more than \(Limits.heldBatchesMax) batches a day ahead"
        case .tooManyWaiting(let device):
            "device \(device.suffix) wrote more than \(Limits.waitingOperationsMax) changes of "
                + "records that are not here yet"
        case .tooSoon(let device):
            "device \(device.suffix) made this device merge the whole space again too often"
        case .noRoom(let device): "there is no room for further batches of device \(device.suffix)"
        case .ownRoomUsed(let limitBytes):
            "what you wrote here takes \(limitBytes / 1_048_576) MiB, and others store no more of "
                + "it: erase some of it first"
        case .ownDayUsed:
            "what you wrote here today is as much as others store of one person in a day: write "
                + "again after midnight UTC"
        case .unknownSpace: "this space is not open here"
        }
    }
}
