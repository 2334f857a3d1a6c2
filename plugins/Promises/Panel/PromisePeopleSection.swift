import Contract
import GtkKit
import PanelKit
import PromisesAPI

/// People of a promise under a heading; nothing is shown while there are none.
@MainActor
final class PromisePeopleSection: Box {
    private let title = Label().styled("heading")
    private let list = Box(.down).styled("list-box").role(.list)
    private var rows: [Key: PromisePersonRow] = [:]

    init() {
        super.init(.down, spacing: 12)
        append(title)
        append(list)
    }

    /// Shows people under this title; rows that stay keep their position.
    func show(_ title: String, _ lines: [PromisePersonRow.Content]) {
        self.title.text = title
        list.named(title)
        let keys = Set(lines.map(\.person))
        rows = rows.filter { keys.contains($0.key) }
        list.replaceChildren(
            with: lines.map { line in
                let row = rows[line.person] ?? PromisePersonRow(line.person)
                rows[line.person] = row
                row.show(line)
                return row
            })
        isVisible = !lines.isEmpty
    }
}

/// One person of a promise: on the way, or with their result.
@MainActor
final class PromisePersonRow: Box {
    /// The texts of a row now.
    struct Content: Equatable {
        var person: Key
        var name: String
        var isMe: Bool
        var line: String
        /// The part of the way that is done; nil shows no bar.
        var progress: Double?
        var medal: PromiseMedal?
    }

    private let avatar: Avatar
    private let name = Label().styled("row-title").width(characters: 24)
    private let line = Label().styled("dim").width(characters: 24)
    private let progress = ProgressBar()
    private let part = Label().styled("hint").width(characters: 24)
    private let medal = Icon("starred-symbolic", pixels: 24).aligned(.end, .centre).hidden()

    init(_ person: Key) {
        avatar = Avatar(key: person.string)
        super.init(.across, spacing: 12)
        styled("item").role(.listItem)
        append(avatar.aligned(.centre, .start))
        append(
            Box(.down, spacing: 2, [name, line, progress.margin(across: 0, down: 4), part])
                .expanding(across: true).aligned(.fill, .centre))
        append(medal)
    }

    /// Shows a person as they are now.
    func show(_ content: Content) {
        avatar.show(name: content.name)
        name.text = content.isMe ? localized("\(content.name) (you)") : content.name
        line.text = content.line
        progress.isVisible = content.progress != nil
        progress.fraction = content.progress ?? 0
        part.isVisible = content.progress != nil
        part.text = content.progress.map(PromiseText.part) ?? ""
        progress.named(localized("\(content.name): how much of the way is done"))
        medal.isVisible = content.medal != nil
        for each in [PromiseMedal.gold, .silver, .bronze] {
            medal.setStyle(each.rawValue, on: each == content.medal)
        }
        named("\(name.text). \(content.line)")
    }
}
