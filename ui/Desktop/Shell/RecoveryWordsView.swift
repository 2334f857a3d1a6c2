import Files
import Foundation
import GtkKit
import Localization

/// The words that restore a person: shown, copied or saved, and then checked by typing two of them.
@MainActor
final class RecoveryWordsView: Box {
    /// Called when the user leaves without a confirmation.
    var onLater: @MainActor () -> Void = {}
    /// Called when the user has typed two of the words.
    var onConfirm: @MainActor () -> Void = {}
    /// Called when the words cannot be saved.
    var onFault: @MainActor (String) -> Void = { _ in }

    private let title = Label(localized("Write down your recovery words")).styled("page-title")
        .centred()
    private let sentence = Label().centred().width(characters: 52)
    private let grid = Grid(columnSpacing: 24, rowSpacing: 10)
    private let copied = Label().styled("dim").centred().role(.status)
    private let showing: Box
    private let checking = Box(.down, spacing: 8).aligned(.centre).hidden()
    private let later = Button(localized("Later"))
    private let next = Button(localized("I have written them down")).suggested()
    private let saver = FileSaver()
    private var words: [String] = []
    private var entries: [(index: Int, entry: Entry)] = []

    /// Words beside each other.
    private static let columns: Int32 = 3
    /// The number of words that are checked.
    private static let checkedCount = 2

    init() {
        let copy = Button(localized("Copy"))
        let save = Button(localized("Save…"))
        showing = Box(
            .down, spacing: 16,
            [
                grid.aligned(.centre).styled("card"),
                Box(.across, spacing: 8, [copy, save]).aligned(.centre), copied,
            ])
        super.init(.down, spacing: 16)
        aligned(.centre, .centre).margin(24)
        for view in [
            title, sentence, showing, checking,
            Box(.across, spacing: 8, [later, next]).aligned(.centre),
        ] { append(view) }
        copy.onClick { [weak self] in self?.copy() }
        save.onClick { [weak self] in self?.save() }
        later.onClick { [weak self] in self?.leave() }
        next.onClick { [weak self] in self?.goOn() }
    }

    /// Shows the words, numbered, line by line.
    func show(_ words: [String]) {
        self.words = words
        grid.removeAll()
        for (index, word) in words.enumerated() {
            let place = Int32(clamping: index)
            let label = Label("\(index + 1). \(word)").styled("recovery-word").onOneLine()
            grid.attach(label, column: place % Self.columns, row: place / Self.columns)
        }
        copied.text = ""
        title.text = localized("Write down your recovery words")
        sentence.text =
            localized(
                "With them you come back on a new device if you lose this one: what you share with "
                    + "mates comes back from them. Keep them on paper, in this order. Until you "
                    + "confirm them, they stay in a file that only you can read.")
        showing.isVisible = true
        checking.isVisible = false
        next.text = localized("I have written them down")
        next.isEnabled = true
        next.grabFocus()
    }

    /// Leaves without a confirmation.
    func leave() { finish(isConfirmed: false) }

    private func goOn() {
        if checking.isVisible { finish(isConfirmed: true) } else { askForTwo() }
    }

    private func askForTwo() {
        let asked = words.indices.shuffled().prefix(Self.checkedCount).sorted()
        entries = asked.map { index in
            (index, Entry(width: 12).named(localized("Word \(index + 1)")))
        }
        checking.replaceChildren(
            with: entries.map { index, entry in
                Box(
                    .across, spacing: 12,
                    [
                        Label(localized("Word \(index + 1)")).labels(entry).onOneLine()
                            .expanding(across: true), entry,
                    ])
            })
        for (_, entry) in entries {
            entry.onChange { [weak self] in self?.check() }
            entry.onEnter { [weak self] in
                guard let self, next.isEnabled else { return }
                goOn()
            }
        }
        title.text = localized("Type two of the words")
        sentence.text = localized("Then the file with the words is deleted.")
        showing.isVisible = false
        checking.isVisible = true
        next.text = localized("Confirm")
        check()
        entries.first?.entry.grabFocus()
    }

    private func check() {
        next.isEnabled = entries.allSatisfy { index, entry in
            entry.text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
                == [words[index]]
        }
    }

    private func finish(isConfirmed: Bool) {
        grid.removeAll()
        checking.replaceChildren(with: [])
        entries = []
        words = []
        if isConfirmed { onConfirm() } else { onLater() }
    }

    private func copy() {
        Clipboard.copy(words.joined(separator: " "))
        copied.text = localized("Copied. Clear the clipboard when you have pasted them.")
    }

    private func save() {
        let text = Array((words.joined(separator: " ") + "\n").utf8)
        saver.ask(title: localized("Save the recovery words"), name: "waggle-recovery-words.txt") {
            [weak self] path in
            do {
                try SafeFile.write(text, to: path)
                self?.copied.text = localized("Saved, readable only by you.")
            } catch {
                self?.onFault(
                    localized("The words cannot be saved there: \(error.localizedDescription)"))
            }
        }
    }
}
