import Contract
import ControlAPI
import GtkKit
import MatchingAPI
import PanelKit

/// A sheet that is saved or closed. A refusal is shown in it, and leaves it open.
@MainActor
class AnswerSheet: Sheet {
    /// Called when the sheet is to be closed.
    var onCancel: @MainActor () -> Void = {}
    /// Saves what the sheet says.
    var onSave: @MainActor () async throws -> Void = {}

    private let hint = Label().styled("hint").width(characters: 34)
    private let save: Button

    /// Creates a sheet with a button that saves it.
    init(title: String, save text: String) {
        save = Button(text).suggested()
        super.init(title: title)
        let cancel = Button(localized("Cancel")) { [weak self] in self?.onCancel() }
        let row = Box(.across, spacing: 8, [cancel, save]).aligned(.end)
        setFooter([Box(.down, spacing: 8, [hint, faultView, row]).expanding(across: true)])
        save.onClick { [weak self] in self?.submit() }
    }

    /// Shows what is missing; nil lets the sheet be saved, and shows another hint.
    func show(fault: String?, hint text: String) {
        hint.text = fault ?? text
        save.isEnabled = fault == nil
        setFault(nil)
    }

    private func submit() {
        guard save.isEnabled else { return }
        save.isEnabled = false
        Task {
            do { try await onSave() } catch {
                setFault(CommandFault(error).shown())
                save.isEnabled = true
            }
        }
    }

    /// Returns a label above its control.
    func field(_ title: String, _ control: Widget, in container: Widget? = nil) -> Box {
        let label = Label(title).styled("field-title").labels(control)
        return Box(.down, spacing: 4, [label, container ?? control])
    }
}

/// The sheet of the user's age and gender for matching.
@MainActor
final class CardSheet: AnswerSheet {
    /// The fields as they are now.
    private(set) var draft: CardDraft

    private let showsAge = CheckButton(localized("Show my age"))
    private let age = NumberEntry(CardDraft.ages).named(localized("Your own age"))
        .aligned(.start)
    private let gender = DropDown(
        [localized("Keep private")] + MatchingGender.allCases.map(GenderText.name)
    ).named(localized("Your own gender")).aligned(.start)

    init(_ draft: CardDraft) {
        self.draft = draft
        super.init(title: localized("What others see of you"), save: localized("Save"))
        append(
            Label(
                localized(
                    "People who look too see this while you look. It is about you, not your dog.")
            ).styled("dim").width(characters: 34))
        append(showsAge)
        append(field(localized("Your own age"), age))
        append(field(localized("Your own gender"), gender))
        showsAge.isOn = draft.showsAge
        age.value = draft.age
        gender.selection = MatchingGender.entry(of: draft.gender)
        for control in [showsAge.onChange, age.onChange, gender.onChange] {
            control { [weak self] in self?.update() }
        }
        update()
    }

    /// Moves the keyboard focus to the first field.
    func focusFirst() { showsAge.grabFocus() }

    private func update() {
        draft.showsAge = showsAge.isOn
        draft.age = age.value
        draft.gender = MatchingGender.chosen(gender.selection)
        age.isEnabled = draft.showsAge
        show(fault: nil, hint: draft.sentence)
    }
}

/// The sheet of the user's filters.
@MainActor
final class FilterSheet: AnswerSheet {
    /// The fields as they are now.
    private(set) var draft: FilterDraft

    private let gender = DropDown(
        [localized("Everyone")] + MatchingGender.allCases.map(GenderText.name)
    ).named(localized("Gender to list")).aligned(.start)
    private let byAge = CheckButton(localized("Only some ages"))
    private let ageMin = NumberEntry(FilterDraft.ages).named(localized("Lowest age"))
        .aligned(.start)
    private let ageMax = NumberEntry(FilterDraft.ages).named(localized("Highest age"))
        .aligned(.start)

    init(_ draft: FilterDraft) {
        self.draft = draft
        super.init(title: localized("Whom the list shows"), save: localized("Save"))
        append(
            Label(
                localized(
                    "Nobody else learns your filters. They hide people who do not give what you "
                        + "filter by.")
            ).styled("dim").width(characters: 34))
        append(field(localized("Gender to list"), gender))
        append(byAge)
        append(field(localized("Lowest age"), ageMin))
        append(field(localized("Highest age"), ageMax))
        gender.selection = MatchingGender.entry(of: draft.gender)
        byAge.isOn = draft.isByAge
        ageMin.value = draft.ageMin
        ageMax.value = draft.ageMax
        for control in [gender.onChange, byAge.onChange, ageMin.onChange, ageMax.onChange] {
            control { [weak self] in self?.update() }
        }
        update()
    }

    /// Moves the keyboard focus to the first field.
    func focusFirst() { gender.grabFocus() }

    private func update() {
        draft.gender = MatchingGender.chosen(gender.selection)
        draft.isByAge = byAge.isOn
        draft.ageMin = ageMin.value
        draft.ageMax = ageMax.value
        for entry in [ageMin, ageMax] { entry.isEnabled = draft.isByAge }
        show(fault: draft.fault, hint: draft.sentence ?? localized("Everyone is listed."))
    }
}

extension MatchingGender {
    /// Returns the entry of a gender in a list whose first entry is none.
    fileprivate static func entry(of gender: MatchingGender?) -> Int {
        gender.flatMap(allCases.firstIndex).map { $0 + 1 } ?? 0
    }

    /// Returns the gender of an entry of a list whose first entry is none.
    fileprivate static func chosen(_ entry: Int) -> MatchingGender? {
        allCases.indices.contains(entry - 1) ? allCases[entry - 1] : nil
    }
}

/// The sheet of a review.
@MainActor
final class ReviewSheet: AnswerSheet {
    /// The review as written so far.
    private(set) var draft: ReviewDraft

    private let boxes: [(mark: ReviewMark, box: CheckButton)]
    private let text = TextArea(placeholder: localized("What was good, and what was not?"))
        .named(localized("Text of the review"))

    private static let textPixelsMax: Int32 = 160

    /// Creates the sheet of a review of a person.
    init(name: String, _ draft: ReviewDraft) {
        self.draft = draft
        boxes = ReviewMark.allCases.map { ($0, CheckButton(localized($0.name))) }
        super.init(title: localized("How was it with \(name)?"), save: localized("Send"))
        append(
            Label(localized("\(name) receives it, and may show it to others."))
                .styled("dim").width(characters: 34))
        let marks = Box(.down, spacing: 2, boxes.map(\.box)).role(.group).named(localized("Marks"))
        append(marks)
        append(
            field(
                localized("Text of the review"), text,
                in: text.framed(growingUpTo: Self.textPixelsMax).minimum(height: 72)))
        for (mark, box) in boxes {
            box.isOn = draft.marks.contains(mark)
            box.onChange { [weak self] in self?.update() }
        }
        text.text = draft.text
        text.onChange { [weak self] in self?.update() }
        update()
    }

    /// Moves the keyboard focus to the first mark.
    func focusFirst() { boxes.first?.box.grabFocus() }

    private func update() {
        draft.marks = Set(boxes.filter(\.box.isOn).map(\.mark))
        draft.text = text.text
        show(fault: draft.fault, hint: draft.countText)
    }
}
