import FeaturesAPI
import Notifications
import PluginKit
import Records

/// Notices and moments that the tests share.
enum Sample {
    static func person(_ number: UInt8) -> PersonID {
        guard let person = PersonID(bytes: [UInt8](repeating: number, count: 32)) else {
            preconditionFailure("an id has 32 bytes")
        }
        return person
    }

    static func notice(
        _ reference: String, kind: InboxKind = "walk", from person: PersonID? = person(1),
        title: Sentence = "Ben asks for a walk", body: Sentence = "To the river?"
    ) -> DesktopNotice {
        DesktopNotice(
            about: InboxSubject(kind, reference), from: person, title: title, body: body,
            withoutText: "Ben asks",
            actions: [
                .init("Accept", WalkCommands.accept, WalkReference(id: .example)),
                .init("Decline", WalkCommands.decline, WalkReference(id: .example)),
            ])
    }

    static func tag(_ reference: String, kind: InboxKind = "walk") -> NoticeTag {
        .subject(InboxSubject(kind, reference))
    }

    /// A moment at noon.
    static func at(_ seconds: Double, minute: Int = 12 * 60) -> NoticeDesk.Moment {
        NoticeDesk.Moment(uptime: .seconds(seconds), minute: minute)
    }
}

extension NoticeDesk {
    /// Receives notices at a moment and does what is due when they have settled.
    mutating func show(
        _ notices: [DesktopNotice], at seconds: Double, minute: Int = 12 * 60
    ) -> [Effect] {
        var effects: [Effect] = []
        for notice in notices { effects += receive(notice, now: Sample.at(seconds)) }
        return effects + tick(now: Sample.at(seconds + 1, minute: minute))
    }
}

extension [NoticeDesk.Effect] {
    /// The first lines of what is shown.
    var titles: [String] {
        compactMap { if case .show(let notice) = $0 { notice.title } else { nil } }
    }

    /// The tags of what is withdrawn.
    var withdrawn: [NoticeTag] {
        compactMap { if case .withdraw(let tag) = $0 { tag } else { nil } }
    }
}
