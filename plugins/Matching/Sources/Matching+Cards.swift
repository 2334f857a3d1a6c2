internal import MatchingAPI
internal import PluginKit

// My card, and the people who have it.
extension Matching {
    /// The card that I send.
    var card: MatchCard {
        MatchCard(
            wishes: choice.wishes, location: location.map { RoundedLocation($0) }, age: choice.age,
            gender: choice.gender, reviewCount: reviews.shown.count)
    }

    /// Sends my card to the linked devices of people who look too, if they do not have it or it was
    /// sent long ago.
    func sendCards() async {
        guard session.isSeeking, let near = try? await context.nearby.people() else { return }
        let isDue = now >= nextCards
        if isDue { nextCards = now + Self.cardInterval }
        let seekers = near.filter { $0.switchedOn.contains(Self.manifest.id) }
        let devices = Set(seekers.compactMap(\.device))
        for (device, person) in linked.sorted(by: { $0.key < $1.key })
        where !blocked.contains(person) {
            guard devices.contains(device) else {
                await forgetCard(of: Peer(device: device, person: person))
                sentCards[device] = nil
                continue
            }
            let card = card
            guard session.isSeeking, isDue || sentCards[device] != card else { continue }
            sentCards[device] = card
            await send(.card(card), to: device)
        }
    }

    /// The interval at which cards are sent again.
    private static let cardInterval = Duration.seconds(30)
}
