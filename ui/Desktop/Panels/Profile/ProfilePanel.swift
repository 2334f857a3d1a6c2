import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import NodeAPI
import PanelKit

/// The user's own profile: the first page of a new user, later the card as mates get it, and the
/// form that changes it.
@MainActor
final class ProfilePanel: Panel {
    static let id = "profile"
    static let title = localized("Profile")
    static let icon = "avatar-default-symbolic"
    static let layout = PanelLayout.front
    /// A contact file fills the form.
    static let fileTypes: Set<String> = [DroppedContact.ending]

    private enum View: String {
        case first, ways, join, recover, card, form
    }

    /// A query of the panel.
    enum Query: CaseIterable {
        /// The progress of coming back by recovery words.
        case recovery
        /// The user's devices.
        case devices
        /// The progress of adding a device, on either side.
        case pairing
    }

    private let context: PanelContext
    private let stack = Stack()
    private let first: FirstRunView
    private let ways: WaysBackView
    private let join: JoinView
    private let recover: RecoverView
    private let adding: AddingDevice
    private var asked: StaleQueries<Query>?
    /// The progress of coming back, as the node last reported it.
    private var recovery: RecoveryReport?
    /// The progress of becoming another device of a person, as the node last reported it.
    private var pairing: DevicePairing?
    private let card: CardView
    private let devicesSection: DevicesSection
    /// The user's devices, as the node last listed them.
    private var devices: DeviceList?
    private let form: ProfileFormView
    private let myEntry: ProfileEntry
    private var shown = View.card
    /// Whether the form holds changes that were neither saved nor cancelled.
    private var hasDraft = false

    init(context: PanelContext) {
        self.context = context
        first = FirstRunView(node: context.node)
        ways = WaysBackView(node: context.node)
        join = JoinView(node: context.node)
        recover = RecoverView(node: context.node)
        adding = AddingDevice(context: context)
        form = ProfileFormView(context)
        let add = Button(localized("Add a device…"))
        devicesSection = DevicesSection(context, adding: add.aligned(.start))
        card = CardView(photos: context.personPhotos, devices: devicesSection)
        myEntry = ProfileEntry(photos: context.personPhotos)
        stack.add(card, named: View.card.rawValue)
        stack.add(first, named: View.first.rawValue)
        stack.add(ways, named: View.ways.rawValue)
        stack.add(join, named: View.join.rawValue)
        stack.add(recover, named: View.recover.rawValue)
        let formPage = Box(.down, [form])
        formPage.onFilesDropped { [weak self] paths in
            if let path = paths.first { self?.use(file: path) }
        }
        stack.add(formPage, named: View.form.rawValue)
        asked = StaleQueries(
            .after(StatusEvents.changed, .recovery) { $0.recovery == true || $0.concernsAll },
            .after(StatusEvents.changed, .pairing) { $0.pairing == true || $0.concernsAll },
            .after(DeviceEvents.changed, .devices)
        ) { [weak self] query in
            switch query {
            case .recovery: try await self?.askRecovery()
            case .pairing: try await self?.askPairing()
            case .devices: try await self?.askDevices()
            }
        }
        asked?.onFault = context.report
        first.onDone = { context.leavePage() }
        first.onRecover = { [weak self] in self?.showWays() }
        ways.onDevice = { [weak self] in self?.showJoin() }
        ways.onWords = { [weak self] in self?.showRecover() }
        ways.onBack = { [weak self] in self?.leaveWays() }
        join.onLeave = { [weak self] in self?.leaveJoin() }
        join.onOtherWay = { [weak self] in self?.showWays() }
        recover.onOtherWay = { [weak self] in self?.showWays() }
        add.onClick { [weak self] in self?.adding.open() }
        recover.onLeave = { [weak self] in self?.leaveRecover() }
        form.onDone = { [weak self] in
            self?.hasDraft = false
            self?.showCard()
        }
        card.onEdit = { [weak self] in self?.showForm() }
        card.onBack = { context.leavePage() }
        card.onForgetLocation = { context.perform(LocationCommands.clear) }
        card.onDelete = { [weak self] in self?.askToDelete() }
    }

    var page: Widget? { stack }
    var entry: Box? { myEntry }
    var queries: (any PanelQueries)? { asked }

    /// The page is shown first if the profile is not complete; the user can skip it.
    var comesFirst: Bool { context.people.me?.complete == false }

    /// A bar, if another device of the user removed this one.
    var bars: [PanelBar] {
        guard let devices, devices.isRemoved else { return [] }
        return [
            PanelBar(
                id: "removed", icon: "dialog-warning-symbolic",
                title: localized("This device was removed"),
                detail: devices.locked.map { localized($0.sentence) } ?? "", answers: [])
        ]
    }

    /// The names of the user and of the dog.
    var subtitle: String? {
        context.people.me.map { me in
            [me.nickname?.string, me.dogName?.string].compactMap { $0 }.joined(separator: " & ")
        }
    }

    func update() {
        myEntry.show(context.people)
        card.show(context.people, words: context.recoveryWords)
        devicesSection.show(devices, now: context.clock.nodeTime)
        adding.update()
        if shown == .recover || shown == .join, !comesFirst { context.leavePage() }
    }

    func didShow() {
        if comesFirst { leaveWays() } else { showCard() }
    }

    /// Leaves the form for the card; what was typed is there again the next time.
    func back() -> Bool {
        guard shown != .recover || RecoverView.isWanted(recovery) else {
            leaveRecover()
            return true
        }
        guard shown != .join || JoinView.isWanted(pairing) else {
            leaveJoin()
            return true
        }
        guard shown != .ways else {
            leaveWays()
            return true
        }
        guard shown == .form else { return false }
        hasDraft = true
        showCard()
        return true
    }

    private func show(_ view: View) {
        shown = view
        stack.show(view.rawValue)
    }

    private func showCard() {
        update()
        show(.card)
        card.focusFirst()
    }

    private func showFirst() {
        show(.first)
        first.focusFirst()
    }

    private func showWays() {
        ways.isWaiting = isWaiting
        show(.ways)
        ways.focusFirst()
    }

    /// Whether this device waits for its person.
    private var isWaiting: Bool {
        recovery?.stage == .searching
            || JoinView.isWanted(pairing) && pairing?.stage != .receiving
    }

    /// Shows what the node waits for, or the first page if it waits for nothing.
    private func leaveWays() {
        if RecoverView.isWanted(recovery) {
            showRecover()
        } else if JoinView.isWanted(pairing) {
            showJoin()
        } else {
            showFirst()
        }
    }

    /// Shows the page that belongs to a change of what the node waits for. The page with the ways
    /// stays while nothing changes, since the user may have come there from the wait.
    /// - Parameter isNews: whether the node has come to another stage.
    private func follow(_ view: View, isWanted: Bool, isNews: Bool) {
        guard comesFirst else { return }
        if isWanted, shown == .first || shown == .ways && isNews {
            leaveWays()
        } else if !isWanted, isNews, shown == view || shown == .ways && !isWaiting {
            leaveWays()
        }
        ways.isWaiting = isWaiting
    }

    private func showJoin() {
        show(.join)
        join.focusFirst()
    }

    /// Leaves the page for the code: for the two ways, or while the node searches or receives.
    private func leaveJoin() {
        guard !JoinView.isWanted(pairing) else { return context.leavePage() }
        showWays()
    }

    private func askPairing() async throws {
        let report = try await context.node.call(PairingCommands.show)
        let (wasWanted, wanted) = (JoinView.isWanted(pairing), JoinView.isWanted(report))
        let isNews = report.stage != pairing?.stage
        pairing = report
        join.show(report)
        adding.show(report)
        follow(.join, isWanted: wanted, isNews: isNews && (wanted || wasWanted))
    }

    private func showRecover() {
        show(.recover)
        recover.focusFirst()
    }

    /// Leaves the page for recovery words: for the two ways, or while the node searches.
    private func leaveRecover() {
        guard !RecoverView.isWanted(recovery) else { return context.leavePage() }
        showWays()
    }

    private func askRecovery() async throws {
        let report = try await context.node.call(NodeCommands.recovery)
        let (wasWanted, wanted) = (RecoverView.isWanted(recovery), RecoverView.isWanted(report))
        let isNews = report.stage != recovery?.stage
        recovery = report
        recover.show(report)
        follow(.recover, isWanted: wanted, isNews: isNews && (wanted || wasWanted))
    }

    private func askDevices() async throws {
        let listed = try await context.node.call(DeviceCommands.list)
        let isNews = listed.isRemoved != (devices?.isRemoved ?? false)
        devices = listed
        if isNews { context.changed() }
        devicesSection.show(devices, now: context.clock.nodeTime)
    }

    /// Opens the form with what a contact file says; nothing is saved before the user does so.
    func open(file path: String) {
        Task { [weak self, context] in
            do {
                let contact = try await DroppedContact.read(path)
                guard let self else { return }
                if shown != .form {
                    context.showPage()
                    showForm()
                }
                form.use(contact)
            } catch {
                context.report(error)
            }
        }
    }

    /// Uses a file that was dropped on the form: a contact, or a picture as the photo.
    private func use(file path: String) {
        if path.lowercased().hasSuffix(".\(DroppedContact.ending)") {
            open(file: path)
        } else {
            form.use(file: path)
        }
    }

    private func showForm() {
        if !hasDraft { form.fill(context.people.me) }
        show(.form)
        form.focusFirst()
    }
}

// MARK: - Deleting

extension ProfilePanel {
    private func askToDelete() {
        let name = context.people.me?.nickname?.string ?? localized("delete")
        context.confirm(
            localized("Delete everything?"),
            localized(
                "All your data is erased here and on every device in reach. This cannot be undone. "
                    + "Devices out of reach erase it when they next connect to one that has."),
            button: localized("Delete me"), typing: name
        ) { [weak self] in self?.delete() }
    }

    private func delete() {
        // Nobody is known by name any more once everything is erased.
        let names = context.people.names
        let wait = WaitSheet(
            title: localized("Deleting your data…"),
            sentence: localized(
                "The devices in reach erase it first, which takes 20 seconds at most."))
        context.present(wait)
        Task {
            do {
                let deletion = try await context.node.call(
                    NodeCommands.deleteMe, DeleteMe(yes: true))
                context.forgetUser()
                context.dismiss(wait)
                report(deletion, names)
            } catch {
                context.dismiss(wait)
                context.report(error)
            }
        }
    }

    /// Says who was reached.
    private func report(_ deletion: Deletion, _ names: [Key: String]) {
        let (reached, left) = (deletion.confirmed, deletion.unconfirmed)
        let people = { (keys: [Key]) in
            // Members of groups need not be mates, so that they may have no name here.
            let known = keys.compactMap { names[$0] }
            let count = keys.count
            return known.count == count
                ? known.joined(separator: ", ")
                : localized(Sentence(count: count, one: "1 person", other: "\(count) people"))
        }
        var sentences = [localized("Your data is erased on this device.")]
        if !reached.isEmpty {
            sentences.append(localized("The devices of \(people(reached)) confirmed it."))
        }
        if !left.isEmpty {
            sentences.append(
                localized(
                    "The devices of \(people(left)) erase it when they next connect to one that "
                        + "has."))
        }
        let sheet = NoteSheet(
            title: localized("Your data is deleted"), sentence: sentences.joined(separator: " "))
        sheet.onDone = { [context, weak sheet] in sheet.map(context.dismiss) }
        context.present(sheet)
        sheet.focusFirst()
    }
}
