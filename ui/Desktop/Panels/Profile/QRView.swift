import GtkKit
import QRCode

/// A QR code. It is black on white in every theme, since not every reader takes the reverse.
@MainActor
final class QRView: Canvas {
    private var code: QRCode?

    private static let black = Colour(red: 0, green: 0, blue: 0)
    private static let white = Colour(red: 1, green: 1, blue: 1)
    /// The width and height, in pixels.
    private static let pixels: Int32 = 240

    init() {
        super.init(isFocusable: false)
        minimum(width: Self.pixels, height: Self.pixels).aligned(.centre, .centre)
    }

    /// Shows a text as a code; nil shows nothing.
    func show(_ text: String?) {
        let fresh = text.flatMap { QRCode($0) }
        guard fresh != code else { return }
        code = fresh
        redraw()
    }

    override func paint(_ painter: Painter) {
        guard let code else { return }
        let side = min(painter.size.width, painter.size.height)
        let count = code.width + 2 * QRCode.marginCount
        // Whole pixels for each module, so that edges are sharp.
        let module = max((side / Double(count)).rounded(.down), 1)
        painter.fill(Point(x: 0, y: 0), Size(width: side, height: side), Self.white)
        let start = ((side - module * Double(code.width)) / 2).rounded(.down)
        for row in 0..<code.width {
            for column in 0..<code.width where code.isDark(row: row, column: column) {
                painter.fill(
                    Point(
                        x: start + Double(column) * module, y: start + Double(row) * module),
                    Size(width: module, height: module), Self.black)
            }
        }
    }
}
