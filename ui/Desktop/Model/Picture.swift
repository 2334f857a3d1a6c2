/// All that the window shows of the node, as the node told it last.
///
/// The window keeps nothing of its own beside it: a change on the node arrives as an event, the
/// noun is asked again, and the views are shown the new picture.
struct Picture: Equatable, Sendable {
    var me: Me?
    var status: NodeStatus?
    var nearby: Nearby?
    var visibility: Visibility?
    var mates = MateList(mates: [])
    var walks = WalkList(requests: [])
    var inbox = Inbox(items: [])
    var place = MyPlace()
    /// When the seconds of the walk requests were counted, on the window's clock.
    var walksTakenAt: Duration = .zero
    /// When those of the visibility were.
    var visibilityTakenAt: Duration = .zero
    /// The node's time in milliseconds since 1970 minus the window's clock, as seen at connecting.
    var clockOffsetMs: Int64 = 0

    /// Now, in the node's milliseconds since 1970.
    func nodeTimeMs(at now: Duration) -> Int64 {
        clockOffsetMs &+ now.wholeMilliseconds
    }
}

/// A part of the picture that one query answers.
enum Noun: CaseIterable, Sendable {
    case status, me, place, mates, nearby, visibility, walks, inbox

    /// What has to be asked again when something under `topic` changed: all of it when a stream
    /// begins, and when events were lost.
    static func changed(byTopic topic: String) -> [Noun] {
        switch topic {
        case "open", "lost": allCases
        case "me": [.me]
        case "nearby": [.nearby, .visibility]
        case "mates": [.mates]
        case "walk": [.walks, .inbox]
        case "inbox": [.inbox]
        case "location": [.place, .mates]
        case "link": [.mates, .nearby]
        case "status": [.status, .nearby]
        default: []
        }
    }
}

extension Duration {
    /// The duration in whole milliseconds; what is below one is dropped.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1000 &+ attoseconds / 1_000_000_000_000_000
    }
}
