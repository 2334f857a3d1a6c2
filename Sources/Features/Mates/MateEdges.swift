internal import PluginKit

/// The two edges of a pair in which mine exists.
struct MateEdges {
    let person: PersonID
    /// The meeting that my edge names.
    let meeting: Bytes16
    /// The time when I wrote it.
    let proposed: Timestamp
    /// The meeting that the other person's edge names, if there is one.
    let theirMeeting: Bytes16?
    /// Whether either side has ended the meeting.
    let isOver: Bool
    /// Whether one of my devices has ended it.
    let isEndedByMe: Bool

    /// Reads a row of the view of pairs; nil if I have no edge.
    init?(_ row: Row) {
        guard let person = row.person("person"),
            let meeting = row.bytes("meeting").flatMap({ Bytes16($0) })
        else { return nil }
        self.person = person
        self.meeting = meeting
        proposed = Timestamp(milliseconds: row.integer("proposed_ms") ?? 0)
        theirMeeting = row.bytes("their_meeting").flatMap { Bytes16($0) }
        isOver = row.isTrue("is_over")
        isEndedByMe = row.isTrue("is_ended_by_me")
    }

    /// Whether both edges name one meeting.
    var isMateship: Bool { meeting == theirMeeting && !isOver }
}
