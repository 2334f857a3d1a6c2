import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit
import PostsAPI

// MARK: - Posts

extension PostsPanel {
    /// Performs an action of the user. A refusal is shown in a bar.
    func perform(_ action: @escaping @MainActor (PostsModel) async throws -> Void) {
        Task {
            do { try await action(model) } catch {
                context.report(error)
                update()
            }
        }
    }

    func perform(_ remedy: PostsScreen.Remedy) {
        var filter = model.filter
        switch remedy {
        case .everywhere: filter.isEverywhere = true
        case .showAll: (filter.category, filter.words, filter.space) = (nil, "", nil)
        case .write: return write()
        case .more: return model.loadMore()
        }
        model.choose(filter)
    }

    func perform(_ action: PostScreen.Action) {
        guard let post = model.opened?.post else { return }
        switch action {
        case .edit: write(PostForm(post))
        case .renew: perform { try await $0.renew() }
        case .author(let action): perform(action)
        }
    }

    func open(_ id: RecordKey) {
        perform { try await $0.open(id) }
        MainLoop.whenIdle { [weak self] in self?.view.focusBack() }
    }

    func showOwn() {
        showsOwn = true
        update()
        own.focusBack()
    }

    func showOnMap() {
        guard let id = model.opened?.id else { return }
        context.changed()
        context.map.select(id: PostLayer.markerID(of: id))
    }

    /// Shows a photo of the open post, as large as the window allows.
    func show(_ photo: PostPhoto, title: String) {
        guard let post = model.opened?.post else { return }
        let sender =
            post.mine ? nil : PostWords.author(post.name, post.suffix, isMine: false)
        viewer.open(
            ViewedPhoto(
                title: title, sides: photo.sides, key: "whole post photo \(photo.id)",
                sender: sender
            ) { [context] save in
                try await context.node.call(
                    PostCommands.photo, ShowPostPhoto(id: RecordPrefix(photo.id), save: save))
            }, over: stack.size)
    }

    /// The entries of the menu of the open post.
    var postActions: [PanelAction] {
        guard let post = model.opened?.post else { return [] }
        if post.mine {
            return [PanelAction(localized("Delete…")) { [weak self] in self?.delete(post) }]
        }
        let name = PostWords.author(post.name, post.suffix, isMine: false)
        let hiding =
            model.opened?.isHidden == true
            ? PanelAction(localized("Show in lists again")) { [weak self] in
                self?.unhide(post.id)
            }
            : PanelAction(localized("Hide this post")) { [weak self] in self?.hide(post.id) }
        let person =
            post.mate
            ? context.actions(for: .person(post.author))
            : context.actions(for: .stranger(post.author, name: name))
        return [
            hiding, PanelAction(localized("Report…")) { [weak self] in self?.report(post.id) },
        ] + person
    }

    /// The entries of the menu of a comment.
    func actions(ofComment id: RecordKey) -> [PanelAction] {
        guard let comment = model.opened?.comments.first(where: { $0.id == id }) else { return [] }
        if comment.mine {
            return [
                PanelAction(localized("Delete")) { [context] in
                    context.perform(
                        PostCommands.uncomment, NameComment(id: RecordPrefix(id)))
                }
            ]
        }
        let name = PostWords.author(comment.name, comment.suffix, isMine: false)
        return context.people.isMate(comment.author)
            ? context.actions(for: .person(comment.author))
            : context.actions(for: .stranger(comment.author, name: name))
    }

    private func delete(_ post: Post) {
        context.confirm(
            localized("Delete this post?"),
            localized(
                "It is deleted here now, and on other devices when they next connect. Its "
                    + "comments are no longer shown."),
            button: localized("Delete")
        ) { [weak self] in
            guard let self else { return }
            context.perform(PostCommands.delete, NamePost(id: RecordPrefix(post.id))) { isDone in
                if isDone { self.model.leaveOut(post.id) }
            }
        }
    }

    /// Hides a post, which can be undone for a few seconds.
    private func hide(_ id: RecordKey) {
        context.perform(PostCommands.hide, NamePost(id: RecordPrefix(id))) {
            [weak self] isDone in
            guard isDone, let self else { return }
            model.leaveOut(id)
            context.offerUndo(
                UndoOffer(
                    localized("Post hidden"), undo: { [weak self] in self?.unhide(id) },
                    settle: {}))
        }
    }

    private func unhide(_ id: RecordKey) {
        context.perform(PostCommands.unhide, NamePost(id: RecordPrefix(id)))
    }

    private func report(_ id: RecordKey) {
        let sheet = ReportSheet(id)
        sheet.onDone = { [weak self, context, weak sheet] request in
            sheet.map(context.dismiss)
            guard let request else { return }
            context.perform(PostCommands.report, request) { isDone in
                if isDone { self?.model.leaveOut(id) }
            }
        }
        context.present(sheet)
        sheet.focusFirst()
    }

    func discard(_ draft: SavedPostDraft) {
        context.confirm(
            localized("Delete this draft?"), localized("It is deleted on all your devices."),
            button: localized("Delete")
        ) { [context] in
            context.perform(
                PostCommands.discard, NamePostDraft(draft: RecordPrefix(draft.id)))
        }
    }
}

// MARK: - Writing

extension PostsPanel {
    /// Opens the sheet of a new post, with what was written before and not published.
    func write() { write(unsent ?? PostForm(space: model.filter.space)) }

    /// Opens the sheet that writes a post. If it is closed before that, a new post is kept.
    func write(_ form: PostForm) {
        let sheet = PostSheet(
            context, form: form, places: model.places ?? [], thumbnails: thumbnails)
        writing = sheet
        var end = PostSheet.End.cancelled
        sheet.onDone = { [weak self, context, weak sheet] done in
            end = done
            sheet.map(context.dismiss)
            if done == .published { self?.showPublished() }
        }
        sheet.onPublish = { [weak self] in try await self?.publish($0) }
        sheet.onKeep = { [context] form in
            _ = try await context.node.call(PostCommands.draft, form.keeping)
        }
        sheet.onChooseLocation = { [weak self, weak sheet] in
            guard let self, let sheet else { return }
            let form = sheet.form
            context.dismiss(sheet)
            pick.begin(localized("Where is it?")) { [weak self] location in
                var changed = form
                if let location { changed.location = location }
                self?.write(changed)
            }
        }
        context.present(
            sheet,
            onDismiss: { [weak self, weak sheet] in
                guard let sheet else { return }
                if sheet.form.subject == .new {
                    self?.unsent =
                        end == .cancelled && sheet.form.isWorthKeeping ? sheet.form : nil
                }
                // The closures hold the sheet.
                sheet.onPublish = { _ in }
            })
        sheet.focusFirst()
        Task { [weak sheet, context] in
            // Without an answer there is no warning.
            guard let day = try? await context.node.call(PostCommands.today) else { return }
            sheet?.bytesLeft = Dictionary(
                day.neighbourhoods.map { ($0.id, $0.bytesLeft.value) },
                uniquingKeysWith: { first, _ in first })
            sheet?.photosLeft = Dictionary(
                day.neighbourhoods.map { ($0.id, $0.photosLeft.value) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    private func publish(_ form: PostForm) async throws {
        if form.isChange {
            guard let change = form.change else { return }
            model.receive(try await context.node.call(PostCommands.edit, change))
        } else {
            _ = try await context.node.call(PostCommands.write, try form.writing())
            if let discarding = form.discarding {
                context.perform(PostCommands.discard, discarding)
            }
            model.queries.askAgain([.list, .mine, .drafts])
        }
    }

    private func showPublished() {
        context.showPage()
        update()
    }
}

// MARK: - The neighbourhoods and what is hidden

extension PostsPanel {
    /// The entries of the menu of the page.
    var pageActions: [PanelAction] {
        [
            PanelAction(localized("Your neighbourhoods…")) { [weak self] in self?.showPlaces() },
            PanelAction(localized("Muted words…")) { [weak self] in self?.showMutedWords() },
            PanelAction(localized("Hidden posts…")) { [weak self] in self?.showHiddenPosts() },
        ]
    }

    /// Joins a neighbourhood. The field above the button says who will see what.
    func join(_ name: NeighbourhoodName) async throws {
        _ = try await context.node.call(
            NeighbourhoodCommands.join, JoinNeighbourhood(name: name, yes: true))
        model.queries.askAgain([.places])
        await model.queries.settle()
    }

    private func showPlaces() {
        let sheet = PlacesSheet()
        places = sheet
        sheet.onClose = { [context, weak sheet] in sheet.map(context.dismiss) }
        sheet.onLeave = { [weak self] in self?.leave($0) }
        sheet.join.onJoin = { [weak self] in try await self?.join($0) }
        sheet.show(model.places ?? [])
        // The number of people who have written is as old as the last answer.
        model.queries.askAgain([.places])
        context.present(sheet)
        sheet.focusClose()
    }

    private func leave(_ place: NeighbourhoodList.Entry) {
        context.confirm(
            localized("Leave \(place.name.string)?"),
            localized(LeaveNeighbourhood.deleted(peopleCount: place.peopleCount.value)),
            button: localized("Leave")
        ) { [context] in
            do {
                context.perform(
                    NeighbourhoodCommands.leave,
                    LeaveNeighbourhood(name: try NeighbourhoodName(place.name.string)))
            } catch { context.report(error) }
        }
    }

    private func showMutedWords() {
        let sheet = MutedWordsSheet(context)
        mutedWords = sheet
        sheet.onClose = { [context, weak sheet] in sheet.map(context.dismiss) }
        sheet.words.show(model.muted)
        context.present(sheet)
        sheet.words.focusFirst()
    }

    private func showHiddenPosts() {
        let sheet = HiddenPostsSheet()
        hiddenPosts = sheet
        sheet.onClose = { [context, weak sheet] in sheet.map(context.dismiss) }
        sheet.onUnhide = { [weak self] in self?.unhide($0) }
        sheet.show(model.hidden, now: context.clock.nodeTime)
        context.present(sheet)
        sheet.focusClose()
    }
}
