/// Lets the user choose a location on the map while a form waits.
///
/// ```swift
/// var bars: [PanelBar] { pick.bars }
/// func chose(_ location: Coordinate?) { pick.chose(location) }
///
/// pick.begin("Where do you want to meet?") { location in … }
/// ```
@MainActor
public final class LocationPick {
    private let context: PanelContext
    private var question = ""
    /// Whether the map was shown before the choice began.
    private var hadMap = false
    private var onEnd: (@MainActor (Coordinate?) -> Void)?

    /// Creates a choice that is not offered yet.
    public init(_ context: PanelContext) {
        self.context = context
    }

    /// The bar that asks for a click, while one is awaited.
    public var bars: [PanelBar] {
        guard onEnd != nil else { return [] }
        return [
            PanelBar(
                id: "location-pick", icon: "mark-location-symbolic", title: question,
                detail: localized("Click on the map, or move it and press Space."),
                answers: [PanelAction(localized("Back")) { [weak self] in self?.end(with: nil) }],
                onEscape: { [weak self] in self?.end(with: nil) })
        ]
    }

    /// Shows the map and asks for a click on it. A map that was hidden is hidden again afterwards.
    /// - Parameter onEnd: called with the location, or with nil if the user goes back.
    public func begin(
        _ question: String, onEnd: @escaping @MainActor (Coordinate?) -> Void
    ) {
        self.question = question
        self.onEnd = nil
        context.map.choose(nil)
        self.onEnd = onEnd
        hadMap = context.map.isMapped
        context.map.show()
        context.changed()
    }

    /// Receives a location that was chosen on the map.
    public func chose(_ location: Coordinate?) {
        if let location, onEnd != nil { end(with: location) }
    }

    private func end(with location: Coordinate?) {
        let onEnd = onEnd
        self.onEnd = nil
        // A click may have brought a region nearer without choosing a location.
        if location == nil { context.map.choose(nil) }
        if !hadMap { context.showMap(false) }
        context.changed()
        onEnd?(location)
    }
}
