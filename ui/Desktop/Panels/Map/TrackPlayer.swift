import Contract
import ControlAPI
import FeaturesAPI
import PanelKit

/// A track that was dropped on the window: it is shown on the map, and may be played as this
/// device's location. It has two bars: the question before, and the way back while it plays.
@MainActor
final class TrackPlayer {
    private let context: PanelContext
    private let read: @MainActor (String) async throws -> DroppedTrack
    /// The track on the map.
    private var track: DroppedTrack?
    /// Whether the user has not answered yet.
    private var isAsking = false
    /// The source before the track; nil if this window did not start the track.
    private var before: ChooseLocationSource?

    /// - Parameter read: reads a file.
    init(
        context: PanelContext,
        read: @escaping @MainActor (String) async throws -> DroppedTrack = DroppedTrack.read
    ) {
        self.context = context
        self.read = read
    }

    /// Shows the track of a file on the map, and asks whether to play it.
    func show(_ path: String) async {
        do {
            let track = try await read(path)
            self.track = track
            isAsking = true
            context.map.fit(track.locations)
        } catch {
            let reason = CommandFault(error).shown()
            context.report(CommandFault.failed("“\(DroppedFile.name(of: path))”: \(reason)"))
        }
        context.changed()
    }

    /// The track on the map.
    var mapLayer: MapLayer {
        MapLayer(
            tracks: track.map {
                [MapTrack(id: "dropped-track", title: $0.name, locations: $0.locations)]
            } ?? [])
    }

    /// The question about a dropped file, and the track that plays.
    var bars: [PanelBar] { [question, playing].compactMap { $0 } }

    private var question: PanelBar? {
        guard let track, isAsking else { return nil }
        let remove = PanelAction(localized("Remove")) { [weak self] in self?.remove() }
        let play = PanelAction(localized("Play"), isSuggested: true) { [weak self] in
            self?.play(track.path)
        }
        return PanelBar(
            id: "track-question", icon: MapPanel.icon,
            title: localized("“\(track.name)” is on the map"),
            detail: ["\(track.text).", explanation(of: track)].compactMap { $0 }
                .joined(separator: " "),
            answers: [remove] + keeping(track) + (track.isPlayable ? [play] : []))
    }

    private func explanation(of track: DroppedTrack) -> String? {
        if track.time == nil { return localized("It has no times, so it cannot be played.") }
        guard track.isPlayable else { return nil }
        return localized(
            "Play it as your location? People who see your location see you move along the track. "
                + "Mates see only a location that you set by hand.")
    }

    /// Returns the actions of the panels that keep the track. The map then shows it no longer.
    private func keeping(_ track: DroppedTrack) -> [PanelAction] {
        guard track.time != nil else { return [] }
        return context.actions(for: .trackFile(path: track.path)).map { action in
            PanelAction(action.title, isSuggested: !track.isPlayable) { [weak self] in
                self?.remove()
                action.perform()
            }
        }
    }

    private func remove() {
        track = nil
        isAsking = false
        context.changed()
    }

    private var playing: PanelBar? {
        guard let location = context.people.location, location.source == Self.track
        else { return nil }
        let name =
            location.file.map { "“\(DroppedFile.name(of: $0.string))”" } ?? localized("A track")
        let title =
            switch location.state {
            case .ended: localized("\(name) has ended")
            case .failed: localized("\(name) cannot be played any further")
            default: localized("\(name) is playing as your location")
            }
        return PanelBar(
            id: "track", icon: MapPanel.icon, title: title,
            detail: location.reason?.string
                ?? localized("Stop to return to your earlier location."),
            answers: [PanelAction(localized("Stop")) { [weak self] in self?.stop() }])
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
        isAsking = false
        context.changed()
    }

    private func stop() {
        context.perform(
            LocationCommands.source, before ?? ChooseLocationSource(source: .hand))
        before = nil
        remove()
    }

    private static let track = LocationSourceName.gpx
}
