import Contract
import ControlAPI
import Foundation
import GtkKit
import NodeAPI
import PanelKit

/// The user's data: its folder, a backup and an export.
@MainActor
final class DataView: Box {
    private let context: PanelContext
    private let folder = ActionRow(localized("Data folder"))
    private let copy = Button(
        icon: "edit-copy-symbolic", name: localized("Copy the data folder's path"))
    private let open = Button(icon: "folder-open-symbolic", name: localized("Open the data folder"))
    private let saver = FileSaver()
    private var path = ""
    private lazy var backup = TaskRow(
        localized("Backup"),
        localized(
            "Saves everything in one file, from which you can restore it. The file contains your "
                + "key: keep it safe."),
        button: localized("Back up…")
    ) { [weak self] in self?.askForBackup() }
    private lazy var export = TaskRow(
        localized("Export"),
        localized(
            "Saves everything readable in one file (JSON), without keys."),
        button: localized("Export…")
    ) { [weak self] in self?.askForExport() }

    init(_ context: PanelContext) {
        self.context = context
        super.init(.down)
        folder.addSuffix(copy)
        folder.addSuffix(open)
        folder.stackedIfLarge()
        append(RowList([folder, backup, export]).role(.list).named(localized("Your data")))
        copy.onClick { [weak self] in
            guard let self else { return }
            Clipboard.copy(path)
            folder.subtitle = localized("\(path)\nThe path was copied.")
        }
        open.onClick { [weak self] in self?.openFolder() }
        show(folder: "")
    }

    /// Shows the path of the data folder.
    func show(folder path: String) {
        copy.isEnabled = !path.isEmpty
        open.isEnabled = !path.isEmpty
        guard path != self.path else { return }
        self.path = path
        folder.subtitle = path
    }

    private func openFolder() {
        FolderOpener.open(path) { [weak self] isOpen in
            guard let self, !isOpen else { return }
            folder.subtitle = localized(
                "\(path)\n⚠ No program here can open folders. Copy the path instead.")
        }
    }

    private func askForBackup() {
        let name = "waggle-\(today).backup"
        saver.ask(title: localized("Save a backup"), name: name, mayReplace: false) {
            [weak self] path in
            self?.backup.perform(localized("Saving…")) { [context = self?.context] in
                guard let context else { return "" }
                let written = try await context.node.call(
                    NodeCommands.backup, NewFile(file: FilePath(path)))
                let size = SettingText.size(bytes: written.bytes.value)
                return localized("Saved: \(written.file), \(size), readable only by you.")
            }
        }
    }

    private func askForExport() {
        let name = "waggle-\(today).json"
        saver.ask(title: localized("Save an export"), name: name, mayReplace: false) {
            [weak self] path in
            self?.export.perform(localized("Saving…")) { [context = self?.context] in
                guard let context else { return "" }
                let written = try await context.node.call(
                    NodeCommands.export, NewFile(file: FilePath(path)))
                let count = written.records.value
                return localized(
                    Sentence(
                        count: count, one: "Saved: \(written.file), 1 record.",
                        other: "Saved: \(written.file), \(NumberText.grouped(count)) records."))
            }
        }
    }

    /// The day, as the names of files have it.
    private var today: String {
        let day = Calendar.here.dateComponents(
            [.year, .month, .day], from: Date(context.clock.nodeTime))
        return String(format: "%04d-%02d-%02d", day.year ?? 0, day.month ?? 0, day.day ?? 0)
    }
}
