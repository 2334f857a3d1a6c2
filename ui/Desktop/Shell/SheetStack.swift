import PanelKit

/// The sheets above the window, all of one panel. Only the last one can be used.
///
/// For example, a sheet of the promises is removed when the drop presents one: two panels cannot
/// both ask for an answer.
@MainActor
struct SheetStack {
    private(set) var sheets: [PresentedSheet] = []

    /// The sheet that can be used; nil if there is none.
    var top: PresentedSheet? { sheets.last }

    /// The ids of the panels whose sheets are shown.
    var owners: Set<String> { Set(sheets.map(\.owner)) }

    /// Adds a sheet above those of the same panel.
    /// - Returns: the removed sheets: those of another panel, and the sheet itself if it was
    ///   presented before.
    mutating func push(_ sheet: PresentedSheet) -> [PresentedSheet] {
        let removed = sheets.filter { $0.owner != sheet.owner || $0.sheet === sheet.sheet }
        sheets.removeAll { $0.owner != sheet.owner || $0.sheet === sheet.sheet }
        sheets.append(sheet)
        return removed.filter { $0.sheet !== sheet.sheet }.reversed()
    }

    /// Removes a sheet and those above it.
    /// - Returns: the removed sheets, the topmost first.
    mutating func remove(_ sheet: any PanelSheet) -> [PresentedSheet] {
        guard let index = sheets.firstIndex(where: { $0.sheet === sheet }) else { return [] }
        defer { sheets.removeSubrange(index...) }
        return sheets[index...].reversed()
    }
}
