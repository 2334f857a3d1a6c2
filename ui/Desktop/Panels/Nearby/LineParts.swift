import Foundation
import GtkKit

extension String {
    /// The length up to which a part of a line stays whole in the narrowest row.
    private static let wholePartMax = 16

    /// A line such as "890 m north · here for 5 min" that breaks between its parts and not inside a
    /// short one. Large texts may break anywhere, because they have too little room.
    @MainActor var breakingBetweenParts: String {
        TextScale.isLarge ? self : keepingParts
    }

    /// The line with spaces that do not break inside its short parts.
    var keepingParts: String {
        components(separatedBy: " · ").map { part in
            part.count <= Self.wholePartMax
                ? part.replacing(" ", with: "\u{00A0}") : part
        }.joined(separator: " · ")
    }
}
