import ChatAPI
import Contract
import ControlAPI
import GtkKit
import PanelKit

/// Shows one photo at a time in a sheet: loads it, again when it has arrived, and saves copies.
@MainActor
final class ChatPhotoViewer {
    private let context: PanelContext
    private let saver = FileSaver()
    private var shown: (message: ChatMessage, sheet: ChatPhotoSheet)?
    private var work: Task<Void, Never>?

    /// Creates the viewer of a panel.
    init(_ context: PanelContext) { self.context = context }

    /// Shows the photo of a message, as large as the page allows.
    func open(_ message: ChatMessage, over page: Size) {
        let sheet = ChatPhotoSheet(message, over: page)
        sheet.onClose = { [weak self, weak sheet] in sheet.map { self?.context.dismiss($0) } }
        sheet.onSave = { [weak self] in self?.askForPath() }
        shown = (message, sheet)
        context.present(sheet, onDismiss: { [weak self, weak sheet] in self?.closed(sheet) })
        sheet.focusClose()
        load()
    }

    /// Looks again for a photo that was not here, because something in its room has changed.
    func loadAgain() {
        guard let shown, !shown.sheet.isLoaded else { return }
        load()
    }

    private func closed(_ sheet: ChatPhotoSheet?) {
        guard shown?.sheet === sheet else { return }
        shown = nil
        work?.cancel()
    }

    private func load() {
        guard let (message, sheet) = shown else { return }
        let before = work
        work = Task { [context] in
            await before?.value
            guard !Task.isCancelled, !sheet.isLoaded else { return }
            do {
                let content = try await context.node.call(
                    ChatCommands.photo, ShowPhoto(id: RecordPrefix(message.id)))
                guard let file = content.file else {
                    return sheet.say(content.note?.string ?? localized("Loading…"))
                }
                let key = WindowPhotos.Key(
                    "photo \(message.id)", sideMax: PhotoLimits.shownSideMax)
                sheet.show(try await context.photos.picture(key, of: .file(path: file.string)))
            } catch let fault as PhotoFault {
                let sentence =
                    message.isMine
                    ? fault.sentence : fault.sentence(aboutPhotoOf: message.authorText)
                sheet.setFault(localized(sentence))
            } catch {
                sheet.setFault(CommandFault(error).shown())
            }
        }
    }

    private func askForPath() {
        guard let (message, sheet) = shown else { return }
        saver.ask(
            title: localized("Save the photo"), name: "photo.jpg",
            mayReplace: false
        ) { [context] path in
            Task {
                do {
                    let saved = try await context.node.call(
                        ChatCommands.photo,
                        ShowPhoto(id: RecordPrefix(message.id), save: FilePath(path)))
                    sheet.say(localized("Saved: \(saved.file?.string ?? path)"))
                } catch {
                    sheet.setFault(CommandFault(error).shown())
                }
            }
        }
    }
}
