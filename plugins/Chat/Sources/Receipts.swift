internal import ChatAPI
internal import PluginKit

/// The receipts for my messages in one room.
struct Receipts: Sendable {
    /// The receivers of the messages: the other people who are in the room now.
    let receivers: Set<PersonID>
    /// Whether a device of one of them is linked.
    let isLinked: Bool
    /// The logs of my other devices. What is in them has left the device that wrote it.
    let logsOfOtherDevices: Set<Int64>
    /// The last of my batches that a device of each person holds, by log and person.
    private var held: [Int64: [PersonID: Int64]] = [:]
    /// The last of my batches that each person reports as read, by log and person.
    private var read: [Int64: [PersonID: Int64]] = [:]
    /// The last of my batches that any other device holds, one of mine included, by log.
    private var carried: [Int64: Int64] = [:]

    /// Creates receipts without any evidence.
    init(
        receivers: Set<PersonID>, isLinked: Bool, logsOfOtherDevices: Set<Int64> = []
    ) {
        self.receivers = receivers
        self.isLinked = isLinked
        self.logsOfOtherDevices = logsOfOtherDevices
    }

    /// Records that a device holds a log up to a number.
    mutating func recordHeld(log: Int64, through number: Int64, by person: PersonID?) {
        carried[log] = max(carried[log] ?? 0, number)
        guard let person else { return }
        held[log, default: [:]][person] = max(held[log]?[person] ?? 0, number)
    }

    /// Records that a person reports a log as read up to a number. A message that was read was also
    /// delivered, even if another device carried it and no acknowledgement arrived here.
    mutating func recordRead(log: Int64, through number: Int64, by person: PersonID) {
        read[log, default: [:]][person] = max(read[log]?[person] ?? 0, number)
        recordHeld(log: log, through: number, by: person)
    }

    /// Returns the number of receivers who have a message.
    func deliveredCount(log: Int64, number: Int64) -> Int {
        receivers.count { (held[log]?[$0] ?? 0) >= number }
    }

    /// Returns the number of receivers who have read a message.
    func readCount(log: Int64, number: Int64) -> Int {
        receivers.count { (read[log]?[$0] ?? 0) >= number }
    }

    /// The number of each log of this device after which messages have not left it, of the logs
    /// that another device holds in part.
    var carriedNumbers: [Int64: Int64] { carried }

    /// Returns how far a message has come.
    func state(log: Int64, number: Int64) -> MessageState {
        if !receivers.isEmpty {
            if readCount(log: log, number: number) == receivers.count { return .read }
            if deliveredCount(log: log, number: number) == receivers.count { return .delivered }
        }
        let hasLeft = (carried[log] ?? 0) >= number || logsOfOtherDevices.contains(log)
        return hasLeft || isLinked ? .sent : .queued
    }
}
