import GtkKit
import PanelKit

/// The fields of a card in two columns.
@MainActor
final class CardView: Box {
    private let grid = Grid(columnSpacing: 16, rowSpacing: 4)
    private let photo = PictureView(name: localized("Photo")).hidden()
    private let note = Label().styled("dim").width(characters: 40)
    private var shown: CardFields?

    init(title: String) {
        super.init(.down, spacing: 6)
        styled("card").role(.group).named(title)
        append(Label(title).styled("heading"))
        append(photo.aligned(.start, .start))
        append(grid)
        append(note)
    }

    /// Shows a small photo; nil shows none.
    func show(photo picture: Picture?) {
        photo.isVisible = picture != nil
        guard let picture, picture != photo.picture else { return }
        photo.picture = picture
        photo.minimum(
            width: Int32(picture.size.width), height: Int32(picture.size.height))
    }

    /// Shows these fields, or the sentence `empty` if there are none.
    func show(_ fields: CardFields, empty: String, note sentence: String? = nil) {
        let text = fields.rows.isEmpty ? empty : sentence ?? ""
        note.text = text
        note.isVisible = !text.isEmpty
        guard fields != shown else { return }
        shown = fields
        grid.removeAll()
        grid.isVisible = !fields.rows.isEmpty
        for (row, field) in fields.rows.enumerated() {
            let value = Label(field.value).width(characters: 30)
            grid.attach(Label(field.label).styled("dim").onOneLine(), column: 0, row: Int32(row))
            grid.attach(value, column: 1, row: Int32(row))
        }
    }
}
