internal import PluginKit
package import Records
internal import Synchronization

// The announcements of plugins here, and the use of announcements of other devices.
extension PluginHost {
    /// This device's announcement now.
    package var announcement: AnnouncedFields { board.withLock { $0.shown } }

    /// Changes the announcement.
    /// - Returns: whether the shown fields changed.
    func changeAnnouncement(_ change: (inout AnnouncementBoard) -> Void) -> Bool {
        board.withLock { board in
            let before = board.shown
            change(&board)
            return board.shown != before
        }
    }

    /// Returns the fields of another device's announcement that some plugin here declares.
    package func understood(_ fields: AnnouncedFields) -> AnnouncedFields {
        fields.only(announcedKeys)
    }

    /// Returns the plugins whose switch is on at a device that announces these fields.
    package func switchedOn(_ fields: AnnouncedFields) -> Set<String> {
        Set(switches.filter { $0.isOn(in: fields) }.map { $0.type.manifest.id })
    }

    /// Whether a device that announces these fields has a switch on that opens a meeting.
    func isOpenToMeet(_ fields: AnnouncedFields) -> Bool {
        switches.contains { $0.opensMeeting && $0.isOn(in: fields) }
    }

    /// Whether a switch that opens a meeting is on here.
    package var seeksOthers: Bool {
        let shown = announcement
        return switches.contains { $0.opensMeeting && shown[$0.key] != nil }
    }

    /// Whether a switch that opens a meeting is on here and at a device that announces these
    /// fields.
    package func seeks(_ fields: AnnouncedFields) -> Bool {
        let shown = announcement
        return switches.contains {
            $0.opensMeeting && shown[$0.key] != nil && $0.isOn(in: fields)
        }
    }

    /// A field that is shown while its switch is on.
    struct Switch: Sendable {
        let type: any Plugin.Type
        let key: String
        let opensMeeting: Bool

        func isOn(in fields: AnnouncedFields) -> Bool {
            fields[key].map { type.isSwitchedOn($0, for: key) } ?? false
        }

        /// The switches of one plugin.
        static func all(of type: any Plugin.Type) -> [Switch] {
            type.manifest.announces.filter { $0.shown == .whileSwitchedOn }
                .map { Switch(type: type, key: $0.key, opensMeeting: $0.opensMeeting) }
        }
    }
}
