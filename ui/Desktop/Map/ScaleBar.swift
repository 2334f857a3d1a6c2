import Foundation
import GtkKit

/// A length on the ground that is easy to read, and how long it is drawn.
struct ScaleBar: Equatable, Sendable {
    /// 1, 2 or 5 times a power of ten.
    var metres: Double
    /// Its length in the middle of the view.
    var pixels: Double

    /// Creates the longest readable length that is drawn in at most `pixelsMax`.
    init(for viewport: Viewport, pixelsMax: Double) {
        let groundPerPixel = viewport.metresPerPixel * viewport.centre.groundScale
        metres = Self.readable(atMost: groundPerPixel * pixelsMax)
        pixels = metres / groundPerPixel
    }

    /// The length in words, such as "200 m" or "5 km".
    var text: String {
        if metres >= 1000 { return "\(Int(metres / 1000)) km" }
        if metres >= 1 { return "\(Int(metres)) m" }
        return "\(Int((metres * 100).rounded())) cm"
    }

    /// Returns the largest of 1, 2 and 5 times a power of ten that is not above `limit`.
    static func readable(atMost limit: Double) -> Double {
        guard limit.isFinite, limit > 0 else { return 1 }
        let power = pow(10, floor(log10(limit)))
        let steps: [Double] = [5, 2, 1]
        // A limit of exactly 5 × power may come out of log10 a hair below.
        let step = steps.first { $0 * power <= limit * (1 + 1e-9) } ?? 1
        return step * power
    }
}
