internal import PluginKit

/// How far a message of mine has come.
enum MessageState: String, Sendable, CaseIterable, Comparable {
    /// It is on this device alone.
    case queued
    /// It has left this device: another holds it, or somebody it is for is linked right now.
    case sent
    /// A device of everybody it is for has it on its disk.
    case delivered
    /// Everybody it is for has read it.
    case read

    static func < (one: MessageState, other: MessageState) -> Bool {
        allCases.firstIndex(of: one) ?? 0 < allCases.firstIndex(of: other) ?? 0
    }
}

/// What others are known to have of my messages in one room.
struct Receipts: Sendable {
    /// Whom the messages are for: the others who are in the room now.
    let receivers: Set<PersonID>
    /// Whether a device of one of them is linked.
    let isLinked: Bool
    /// By log and person, the last of my batches that a device of theirs holds.
    private var held: [Int64: [PersonID: Int64]] = [:]
    /// By log and person, the last of my batches they say they have read.
    private var read: [Int64: [PersonID: Int64]] = [:]
    /// By log, the last of my batches that any other device holds, one of mine too.
    private var carried: [Int64: Int64] = [:]

    /// Knows of nothing yet.
    init(receivers: Set<PersonID>, isLinked: Bool) {
        self.receivers = receivers
        self.isLinked = isLinked
    }

    /// Notes that a device holds a log up to a number.
    mutating func noteHeld(log: Int64, through number: Int64, by person: PersonID?) {
        carried[log] = max(carried[log] ?? 0, number)
        guard let person else { return }
        held[log, default: [:]][person] = max(held[log]?[person] ?? 0, number)
    }

    /// Notes that somebody says they have read a log up to a number. What was read was delivered,
    /// even where others carried it and told nobody here.
    mutating func noteRead(log: Int64, through number: Int64, by person: PersonID) {
        read[log, default: [:]][person] = max(read[log]?[person] ?? 0, number)
        noteHeld(log: log, through: number, by: person)
    }

    /// How many of those a message is for have it.
    func deliveredCount(log: Int64, number: Int64) -> Int {
        receivers.count { (held[log]?[$0] ?? 0) >= number }
    }

    /// How many of those a message is for have read it.
    func readCount(log: Int64, number: Int64) -> Int {
        receivers.count { (read[log]?[$0] ?? 0) >= number }
    }

    /// How far a message has come.
    func state(log: Int64, number: Int64) -> MessageState {
        if !receivers.isEmpty {
            if readCount(log: log, number: number) == receivers.count { return .read }
            if deliveredCount(log: log, number: number) == receivers.count { return .delivered }
        }
        return (carried[log] ?? 0) >= number || isLinked ? .sent : .queued
    }
}
