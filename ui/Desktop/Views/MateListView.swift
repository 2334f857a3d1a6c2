import GtkKit
import Location

/// The list of mates: also what a screen reader has instead of the map.
@MainActor
final class MateListView: Box {
    /// Called with a person who is to be asked for a walk.
    var onAsk: @MainActor (Mate) -> Void = { _ in }
    /// Called with a person who is to be shown on the map.
    var onShow: @MainActor (Mate) -> Void = { _ in }

    private let list = Box(.down)
    private let empty: Box
    private var rows: [String: MateRow] = [:]
    private var mates: [String: Mate] = [:]

    /// An empty list; `onDrop` is the one thing to do about that.
    init(onDrop: @escaping @MainActor () -> Void) {
        list.role(.list).named("Mates")
        empty = Box(
            .down, spacing: 8,
            [
                Icon("system-users-symbolic", pixels: 48),
                Label("No mates yet").styled("row-title").centred(),
                Label("When you meet somebody with a dog, both press Drop.")
                    .styled("dim").centred().width(characters: 28),
                Button("Start a drop", onDrop).aligned(.centre),
            ])
        super.init(.down)
        append(empty.margin(across: 12, down: 28))
        append(list)
    }

    /// Shows the mates of a picture; rows that stay keep their place and focus.
    func show(_ picture: Picture, nowMs: Int64) {
        let mates = picture.mates.mates
        let names = picture.mates.names
        self.mates = Dictionary(mates.map { ($0.person, $0) }, uniquingKeysWith: { $1 })
        rows = rows.filter { self.mates[$0.key] != nil }
        for mate in mates {
            row(for: mate.person).update(
                mate, name: names[mate.person] ?? mate.suffix, nowMs: nowMs,
                distance: picture.distance(to: mate.place?.coordinate))
        }
        list.replaceChildren(with: mates.compactMap { rows[$0.person] })
        empty.isVisible = mates.isEmpty
        list.isVisible = !mates.isEmpty
    }

    private func row(for person: String) -> MateRow {
        if let row = rows[person] { return row }
        let row = MateRow(
            person: person,
            onAsk: { [weak self] in self?.mates[person].map { self?.onAsk($0) } },
            onShow: { [weak self] in self?.mates[person].map { self?.onShow($0) } })
        rows[person] = row
        return row
    }
}

extension Picture {
    /// How far a place is from one's own, in metres; nil where either is not known.
    func distance(to other: Coordinate?) -> Double? {
        guard let other, let mine = place.coordinate else { return nil }
        return mine.point.distanceMetres(to: other.point)
    }
}
