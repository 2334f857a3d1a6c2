import Contract
import FeaturesAPI
import PanelKit

/// A person nearby as a row shows them, linked or only announced.
struct NearbyEntry: Equatable {
    /// The digits of the device's key or of its tag, which tell entries apart.
    var id: String
    /// The digits from which the colour of the avatar comes.
    var avatarKey: String
    /// The name alone; empty without one.
    var name: String
    /// The text of the first line.
    var title: String
    /// The distance and the length of the stay, or the trouble that keeps them from being reached.
    var detail: String
    /// The values that other panels may use, such as the person for a message.
    var offers: [Offer]

    /// A person whose device is linked.
    /// - Parameters:
    ///   - isOnlyUnnamed: whether no other mate, or no other stranger, is without a name.
    ///   - way: the distance and the direction by the location that they share.
    init(_ person: NearbyList.Person, isOnlyUnnamed: Bool, way: String?, now: Timestamp) {
        id = person.device.string
        avatarKey = (person.person ?? person.device).string
        name = person.name?.string ?? ""
        title = person.title(isOnlyUnnamed: isOnlyUnnamed)
        detail = person.trouble?.sentences ?? person.detail(way: way, now: now)
        let called = name.isEmpty ? title : name
        let stranger = person.mate ? nil : person.person.map { Offer.stranger($0, name: called) }
        offers = [
            person.mate ? person.person.map(Offer.person) : nil, .device(person.device), stranger,
        ].compactMap { $0 }
    }

    /// A person whose device is announced and not linked yet. A drop with them links it first.
    init(_ person: NearbyList.Announced, now: Timestamp) {
        id = person.tag.string
        avatarKey = person.tag.string
        name = person.name.string
        title = [person.name.string, person.dogName?.string].compactMap { $0 }
            .joined(separator: " · ")
        let state =
            person.mate ? localized("Here, connecting…") : localized("Here, not connected yet")
        let stay = now - person.sinceMs
        detail =
            person.trouble?.sentences
            ?? [
                state,
                stay < .seconds(60) ? nil : localized("here for \(AgeText.span(stay))"),
                person.isOpenToMeet ? localized("waiting for a drop") : nil,
            ].compactMap { $0 }.joined(separator: " · ")
        offers = person.mate ? [] : [.announced(person.tag)]
    }
}

extension ConnectionTrouble {
    /// The cause and the fix.
    var sentences: String { "\(cause.string) \(fix.string)" }
}
