public import Contract
public import FeaturesAPI
import Foundation
public import GtkKit

/// A list in which one mate or several are chosen, with a line that searches it by name. Only the
/// mates that are shown have a row; the search reaches the others.
@MainActor
public final class MatePicker: Box {
    /// The number of mates that can be chosen.
    public enum Count: Sendable {
        case one, several
    }

    /// Called whenever others are chosen.
    public var onChange: @MainActor () -> Void = {}
    /// The mates that are chosen, in the order in which they were.
    public private(set) var chosen: [Key]

    private let choices: MateChoices
    private let count: Count
    private let name: String
    private let names: [Key: String]
    private let search = Entry(width: 12, placeholder: localized("Find a mate"))
    private let list = Box(.down, spacing: 2).role(.list)
    private let rest = Label().styled("hint").width(characters: 34).hidden()
    private var boxes: [Key: CheckButton] = [:]
    private var isShowing = false

    /// Creates a list of mates.
    /// - Parameters:
    ///   - name: the accessible name of the list, such as "With".
    ///   - mates: the mates with their names, in the order of the list.
    ///   - chosen: those who are chosen at first.
    public init(
        _ name: String, _ mates: [(person: Key, name: String)], choosing count: Count,
        chosen: [Key]
    ) {
        choices = MateChoices(mates)
        self.count = count
        self.name = name
        let names = Dictionary(
            mates.map { ($0.person, $0.name) }, uniquingKeysWith: { first, _ in first })
        self.names = names
        self.chosen = chosen.filter { names[$0] != nil }
        super.init(.down, spacing: 4)
        list.named(name)
        search.named(localized("Find a mate"))
        search.isVisible = mates.count > MateChoices.shownMax
        for view in [search, list, rest] { append(view) }
        search.onChange { [weak self] in self?.show() }
        show()
    }

    /// Moves the keyboard focus to the line that searches, or to the first mate.
    public func focusFirst() {
        if search.isVisible { search.grabFocus() } else { list.children.first?.grabFocus() }
    }

    private func toggled(_ person: Key) {
        guard !isShowing else { return }
        if boxes[person]?.isOn == true {
            chosen = count == .one ? [person] : chosen + [person]
        } else {
            chosen.removeAll { $0 == person }
        }
        isShowing = true
        for (other, box) in boxes { box.isOn = chosen.contains(other) }
        isShowing = false
        onChange()
    }

    private func makeBox(for person: Key) -> CheckButton {
        let mate = names[person] ?? ""
        let box = CheckButton(mate).named("\(name) \(mate)")
        box.isOn = chosen.contains(person)
        box.onChange { [weak self] in self?.toggled(person) }
        return box
    }

    private func show() {
        let (shown, hiddenCount) = choices.matching(search.text, chosen: chosen)
        let rows = shown.map { ($0, boxes[$0] ?? makeBox(for: $0)) }
        boxes = Dictionary(rows, uniquingKeysWith: { first, _ in first })
        list.replaceChildren(with: rows.map(\.1))
        rest.text =
            shown.isEmpty
            ? localized("Nobody has this name.")
            : localized("\(NumberText.grouped(hiddenCount)) more: type part of the name.")
        rest.isVisible = shown.isEmpty || hiddenCount > 0
    }
}

/// The mates of a ``MatePicker`` and the search among them.
public struct MateChoices: Sendable {
    /// The number of mates that are shown at once.
    public static let shownMax = 8

    private let mates: [(person: Key, name: String)]

    /// Creates a list.
    public init(_ mates: [(person: Key, name: String)]) {
        self.mates = mates
    }

    /// Returns those of the mates whose name or whose dog's name contains the text.
    public static func found(
        _ text: String, among mates: [MateList.Mate], called names: [Key: String]
    ) -> [MateList.Mate] {
        mates.filter { mate in
            let called = [names[mate.person], mate.profile.dogName?.string].compactMap { $0 }
            return called.isEmpty
                ? isFound("", by: text) : called.contains { isFound($0, by: text) }
        }
    }

    /// Returns whether a name contains the text, whatever its letters' case and accents are.
    private static func isFound(_ name: String, by text: String) -> Bool {
        let wanted = text.trimmed
        return wanted.isEmpty
            || name.range(of: wanted, options: [.caseInsensitive, .diacriticInsensitive]) != nil
    }

    /// Returns the mates to show: those who are chosen first, then those whose name contains the
    /// text, and the number of those for whom there is no room.
    public func matching(_ text: String, chosen: [Key]) -> (shown: [Key], hiddenCount: Int) {
        let others = mates.filter { mate in
            !chosen.contains(mate.person) && Self.isFound(mate.name, by: text)
        }
        let shown = others.prefix(max(0, Self.shownMax - chosen.count))
        return (chosen + shown.map(\.person), others.count - shown.count)
    }
}
