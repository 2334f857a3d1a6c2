import ChatAPI
import Contract
import FeaturesAPI
import PanelKit

/// The line about the other person in a conversation's header.
enum PresenceText {
    /// Returns the presence, and the distance and direction from the user, of the other person of a
    /// room, such as "Here now · 499 m north-east".
    @MainActor
    static func line(for room: ChatRoom, _ people: People, now: Timestamp) -> String {
        guard let person = room.person else { return localized("Group chat") }
        guard let mate = people.mates.first(where: { $0.person == person }) else {
            if room.studyMatch {
                return room.canSend
                    ? localized("Your study match") : localized("Your match is over")
            }
            if room.aboutPost {
                return room.canSend
                    ? localized("You write about a post")
                    : localized("This conversation is over")
            }
            return room.canSend ? "" : localized("Not a mate any more")
        }
        return [presence(of: mate, now: now), location(of: mate, people, now: now)]
            .compactMap { $0 }.joined(separator: " · ")
    }

    private static func presence(of mate: MateList.Mate, now: Timestamp) -> String {
        if mate.present { return localized("Here now") }
        guard let last = mate.lastExchangeMs else { return localized("Not met again yet") }
        return localized("Last met \(AgeText.ago(since: last, now: now))")
    }

    @MainActor
    private static func location(
        of mate: MateList.Mate, _ people: People, now: Timestamp
    ) -> String? {
        guard let location = mate.location,
            let way = people.myLocation?.way(to: location.coordinate)
        else { return nil }
        let age = now - location.atMs
        return way + (age > MapMarker.freshMax ? ", \(AgeText.ago(age))" : "")
    }
}
