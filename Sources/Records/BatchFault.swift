/// Why a batch was refused. Nothing refused is ever stored or passed on.
public enum BatchFault: Error, Hashable, Sendable {
    /// One's own batch came out longer than a batch may be.
    case tooLong(bytes: Int, limit: Int)
    /// One's own batch came out with more operations than a batch may hold.
    case tooManyOperations(count: Int, limit: Int)
    /// A batch is not dated after the one before it in its log.
    case stampNotRising
    /// The author's key did not sign this chain.
    case signatureMismatch
    /// The author's person may not write in the space, or the device belongs to nobody known.
    case notAMember(DeviceID)
    /// Batches are missing between what is here and the first of the run.
    case gap(expected: UInt64, found: UInt64)
    /// Another batch of this number and author is here already.
    case forked(author: DeviceID, number: UInt64)
    /// The space is not open here.
    case unknownSpace
}

extension BatchFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooLong(let bytes, let limit): "the batch has \(bytes) bytes; \(limit) is the limit"
        case .tooManyOperations(let count, let limit):
            "the batch has \(count) operations; \(limit) is the limit"
        case .stampNotRising: "the batch is not dated after the one before it"
        case .signatureMismatch: "the author's signature does not match"
        case .notAMember(let device): "device \(device.suffix) may not write in this space"
        case .gap(let expected, let found): "batch \(found) came where \(expected) is the next"
        case .forked(let author, let number):
            "device \(author.suffix) signed two batches with number \(number)"
        case .unknownSpace: "this space is not open here"
        }
    }
}
