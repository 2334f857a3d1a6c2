import FeaturesAPI
import PanelKit

/// The location that the user has set by hand on any device, as mates see it.
struct SharedLocation {
    /// The location, as the node last reported it.
    let location: MyLocation?
    /// Whether there is a mate who sees it.
    let hasMates: Bool

    /// Whether mates see it now. Only a location that was set by hand is shown to them.
    var isShown: Bool { hasMates && location?.shown != nil }

    /// Returns the bar that is on every page while mates see it; nil while they do not.
    /// - Parameter stop: forgets the location, here and at the mates'.
    @MainActor
    func bar(stop: @escaping @MainActor () -> Void) -> PanelBar? {
        guard isShown else { return nil }
        return PanelBar(
            id: "shared-location", icon: MapPanel.icon,
            title: localized("Your mates see your location"),
            detail: location?.shown == .elsewhere
                ? localized("It was set on another device of yours.") : "",
            answers: [
                PanelAction(
                    localized("Stop"), name: localized("Stop showing your location to your mates"),
                    perform: stop)
            ])
    }
}
