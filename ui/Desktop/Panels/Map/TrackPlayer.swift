import Contract
import ControlAPI
import FeaturesAPI
import PanelKit

/// A track that was dropped on the window and sets this device's location, with its two bars: the
/// question before, and the way back while it plays.
@MainActor
final class TrackPlayer {
    private let context: PanelContext
    /// The path of the dropped file, until the user has answered.
    private var dropped: String?
    /// The source before the track; nil if this window did not start the track.
    private var before: ChooseLocationSource?

    init(context: PanelContext) {
        self.context = context
    }

    /// Asks whether to play a file.
    func ask(about path: String) {
        dropped = path
        context.changed()
    }

    /// The question about a dropped file, and the track that plays.
    var bars: [PanelBar] { [question, playing].compactMap { $0 } }

    private var question: PanelBar? {
        guard let dropped else { return nil }
        return PanelBar(
            id: "track-question", icon: MapPanel.icon,
            title: localized("Play “\(Self.name(of: dropped))” as your location?"),
            detail: localized(
                "People who see your location see you move along the track. Mates "
                    + "see only a location that you set by hand."),
            answers: [
                PanelAction(localized("Do not play")) { [weak self] in self?.answered() },
                PanelAction(localized("Play"), isSuggested: true) { [weak self] in
                    self?.play(dropped)
                },
            ])
    }

    private var playing: PanelBar? {
        guard let location = context.people.location, location.source == Self.track
        else { return nil }
        let name = location.file.map { "“\(Self.name(of: $0.string))”" } ?? localized("A track")
        let title =
            switch location.state {
            case .ended: localized("\(name) has reached its end")
            case .failed: localized("\(name) cannot be played further")
            default: localized("\(name) shows where you are")
            }
        return PanelBar(
            id: "track", icon: MapPanel.icon, title: title,
            detail: location.reason?.string
                ?? localized("Stop returns to the location from before."),
            answers: [PanelAction(localized("Stop")) { [weak self] in self?.stop() }])
    }

    private func answered() {
        dropped = nil
        context.changed()
    }

    private func play(_ path: String) {
        if let location = context.people.location, location.source != Self.track {
            before = ChooseLocationSource(
                source: location.source,
                address: location.address.flatMap { try? Text($0.string, field: "address") })
        }
        do {
            let file = try FilePath(path)
            // The track begins now: with the times it was recorded at, its locations would be old.
            context.perform(
                LocationCommands.source,
                ChooseLocationSource(
                    source: Self.track, file: file, startMs: context.clock.nodeTime))
        } catch {
            context.report(error)
        }
        answered()
    }

    private func stop() {
        context.perform(
            LocationCommands.source, before ?? ChooseLocationSource(source: .hand))
        before = nil
    }

    private static let track = LocationSourceName.gpx

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
