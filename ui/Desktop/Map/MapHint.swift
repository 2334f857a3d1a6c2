import PanelKit

/// The sentences that the map shows above itself.
enum MapHint: Equatable, Sendable {
    /// No location is known.
    case whereAreYou
    /// A click has brought a region nearer, and chose nothing.
    case clickAgain

    /// The sentence.
    var text: String {
        switch self {
        case .whereAreYou:
            localized(
                "Where are you? Click your location on the map or type it below, then press “I am "
                    + "here”."
            )
        case .clickAgain:
            localized(
                "Click again to choose the exact point, or press Space to choose the middle.")
        }
    }

    /// Returns the number of locations on the map, as a screen reader says it.
    static func locations(_ count: Int) -> Sentence {
        Sentence(
            count: count, one: "1 location.", other: "\(NumberText.grouped(count)) locations.")
    }

    /// Returns the description of the map for a screen reader: what is selected or waited for, and
    /// the keys.
    static func words(selection: MapMarker?, hint: MapHint?, locationsCount: Int) -> String {
        if let selection {
            localized(
                "Selected: \(selection.title), \(selection.detail). Enter opens it, "
                    + "Shift+F10 its menu.")
        } else if let hint {
            localized(
                "\(hint.text) Arrows move the map, plus and minus zoom, Enter chooses the "
                    + "point in the middle.")
        } else {
            localized(
                "\(locations(locationsCount)) Tab goes through them, arrows move the map, plus and "
                    + "minus zoom, Home shows your location, Enter chooses the point in the middle, "
                    + "Shift+F10 opens its menu.")
        }
    }
}
