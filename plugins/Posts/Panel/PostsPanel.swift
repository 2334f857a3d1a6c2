public import Contract
import ControlAPI
public import FeaturesAPI
public import GtkKit
public import PanelKit
import PostsAPI

/// The window's part of posts: the page of the neighbourhood, a page of one post and one of the
/// user's own posts, and the posts on the map.
@MainActor
public final class PostsPanel: Panel {
    /// The name of the plugin.
    public static let id = "posts"
    /// The title of the page.
    public static let title = localized("Neighbourhood")
    /// A house.
    public static let icon = "go-home-symbolic"
    /// A recorded walk, and a location for a new post.
    public static let accepts: [Offer.Kind: String] = [
        .track: localized("Make a post…"), .location: localized("Write a post here…"),
    ]

    let context: PanelContext
    let model: PostsModel
    let thumbnails: PostThumbnailLoader
    let list: PostListView
    let view: PostView
    let own: OwnPostsView
    let outside = OutsideView()
    let viewer: PhotoViewer
    let pick: LocationPick
    let stack = Stack()
    /// The sheet that writes a post, while it is open.
    weak var writing: PostSheet?
    /// The new post that was closed before it was published.
    var unsent: PostForm?
    /// The sheets that show what the node reports.
    weak var places: PlacesSheet?
    weak var mutedWords: MutedWordsSheet?
    weak var hiddenPosts: HiddenPostsSheet?
    private let entries = ListedEntries()
    /// Whether the user's own posts are in front, or under the open post.
    var showsOwn = false

    static let listName = "list"
    static let postName = "post"
    static let ownName = "own"
    static let outsideName = "outside"

    /// A panel that shows nothing before the window is connected.
    public init(context: PanelContext) {
        self.context = context
        model = PostsModel(node: context.node)
        let thumbnails = PostThumbnailLoader(context)
        self.thumbnails = thumbnails
        let menus = Menus()
        list = PostListView(thumbnails) { menus.panel?.pageActions ?? [] }
        view = PostView(thumbnails) { menus.panel?.postActions ?? [] }
        own = OwnPostsView(thumbnails)
        viewer = PhotoViewer(context)
        pick = LocationPick(context)
        let pages: [(String, Box)] = [
            (Self.listName, list), (Self.postName, view), (Self.ownName, own),
            (Self.outsideName, outside),
        ]
        for (name, page) in pages {
            stack.add(Scroller(page).keepingFocusInView(), named: name)
        }
        stack.show(Self.outsideName)
        menus.panel = self
        connect()
    }

    /// The panel whose menus the pages open.
    @MainActor
    private final class Menus {
        weak var panel: PostsPanel?
    }

    private func connect() {
        model.queries.onFault = context.report
        model.onChange = { [weak self] in self?.show() }
        model.onPhotos = { [weak self] in
            self?.thumbnails.forgetMissing()
            self?.viewer.loadAgain()
            self?.update()
        }
        model.onGone = { [weak self] in
            guard let self, stack.isMapped else { return }
            context.report(
                CommandFault.notFound("The post is gone: its author deleted it, or it expired."))
        }
        thumbnails.onLoad = { [weak self] _, _ in self?.showThumbnails() }
        list.onWrite = { [weak self] in self?.write() }
        list.onMine = { [weak self] in self?.showOwn() }
        list.onFilter = { [weak self] in self?.model.choose($0) }
        list.onSearchArea = { [weak self] in self?.model.searchArea() }
        list.onRemedy = { [weak self] in self?.perform($0) }
        list.rows.onOpen = { [weak self] in self?.open($0) }
        list.rows.onSight = { [weak self] in self?.model.sees(row: $0) }
        own.onBack = { [weak self] in _ = self?.back() }
        own.onWrite = { [weak self] in self?.write() }
        own.onMore = { [weak self] in self?.model.loadMoreOwn() }
        own.onDraft = { [weak self] in self?.write(PostForm($0)) }
        own.onDiscard = { [weak self] in self?.discard($0) }
        own.rows.onOpen = { [weak self] in self?.open($0) }
        outside.join.onJoin = { [weak self] in try await self?.join($0) }
        connectPost()
        stack.onMap { [weak self] in
            self?.show()
        }
    }

    private func connectPost() {
        view.onBack = { [weak self] in _ = self?.back() }
        view.onLike = { [weak self] isOn in self?.perform { try await $0.like(isOn) } }
        view.onAction = { [weak self] in self?.perform($0) }
        view.onMap = { [weak self] in self?.showOnMap() }
        view.onType = { [weak self] in self?.model.typeComment($0) }
        view.onSend = { [weak self] in self?.perform { try await $0.sendComment() } }
        view.onMore = { [weak self] in self?.model.loadMoreComments() }
        view.commentActions = { [weak self] in self?.actions(ofComment: $0) ?? [] }
        view.photos.onOpen = { [weak self] in self?.show($0, title: $1) }
    }

    /// The page.
    public var page: Widget? { stack }
    /// The queries to the node.
    public var queries: (any PanelQueries)? { model.queries }
    /// Ctrl+F searches the posts while their page is in front.
    public var shortcuts: [Shortcut] {
        [
            Shortcut(
                KeyPress(.character("f"), isControl: true),
                localized("Search posts, on the page of the neighbourhood"), isOfPage: true
            ) { [weak self] in
                self?.search()
            }
        ]
    }

    private func search() {
        guard model.isOutside == false else { return }
        model.close()
        showsOwn = false
        show()
        list.focusSearch()
    }

    /// The number of people who ask to write to the user.
    public var badge: Int { model.askingCount }
    /// A bar that asks for the location of a post.
    public var bars: [PanelBar] { pick.bars }
    /// The setting of counted views.
    public var preferences: Widget? { ViewsSetting(context) }

    /// The listed posts and the open one, while the page is in front.
    public var mapLayer: MapLayer {
        guard model.isOutside == false, context.isPageInFront else { return MapLayer() }
        let listed = model.loaded?.posts ?? []
        let opened = model.opened?.post.map { post in listed.contains { $0.id == post.id } }
        let extra = opened == false ? [model.opened?.post].compactMap { $0 } : []
        return PostLayer.make(extra + listed)
    }

    /// The entries of the map's menu.
    public var mapActions: [PanelAction] {
        guard context.isPageInFront, model.offersSearch else { return [] }
        return [
            PanelAction(localized("Search this area for posts")) { [weak self] in
                self?.model.searchArea()
            }
        ]
    }

    /// Lists the posts of another part of the map.
    public func mapMoved() {
        guard context.isPageInFront else { return }
        follow()
        guard stack.isMapped, stack.shown == Self.listName else { return }
        list.showArea(
            model,
            PostsScreen.heading(model.filter, model.listing.area, context.people.myLocation))
    }

    /// Receives a location for a post.
    public func chose(_ location: Coordinate?) {
        pick.chose(location)
        if let location { writing?.show(location) }
    }

    private func show() {
        update()
        context.changed()
    }

    private func follow() {
        model.follow(
            PostsModel.Sight(
                map: context.map.visibleArea, location: context.people.myLocation,
                isWalking: context.isWalking))
    }

    private func showThumbnails() {
        guard stack.isMapped else { return }
        switch stack.shown {
        case Self.listName: list.rows.showThumbnails()
        case Self.ownName: own.rows.showThumbnails()
        default: update()
        }
    }

    /// Shows times as they are now; a page that is not shown costs nothing.
    public func update() {
        places?.show(model.places ?? [])
        mutedWords?.words.show(model.muted)
        hiddenPosts?.show(model.hidden, now: context.clock.nodeTime)
        guard stack.isMapped else { return }
        follow()
        let (now, location) = (context.clock.nodeTime, context.people.myLocation)
        if let opened = model.opened {
            view.show(
                PostScreen(opened, from: location, message: model.message, now: now),
                model.comment, isLocated: opened.post?.location != nil)
            stack.show(Self.postName)
        } else if model.isOutside ?? true {
            stack.show(Self.outsideName)
        } else if showsOwn {
            own.show(model, location: location, now: now)
            stack.show(Self.ownName)
        } else {
            list.show(
                model,
                PostsScreen(
                    model.loaded, entries: entries.of(model, from: location, now: now),
                    filter: model.filter, area: model.listing.area, location: location))
            stack.show(Self.listName)
        }
    }

    /// Leaves the page of a post, or that of the user's own posts.
    public func back() -> Bool {
        if let closed = model.opened?.id {
            model.close()
            if showsOwn { own.focus(closed) } else { list.focus(closed) }
        } else if showsOwn {
            showsOwn = false
            show()
            list.focusMine()
        } else {
            return false
        }
        return true
    }

    /// Opens a post, for a click on its marker.
    public func open(_ item: MapItem) -> Bool {
        guard let post = PostLayer.post(of: item.id) else { return false }
        context.showPage()
        open(post)
        return true
    }

    /// Shows what an inbox item is about: comments on a post, or a person who asks to write.
    public func open(_ subject: InboxSubject) -> Bool {
        let isMine = [PostItem.postsKind, PostItem.messagesKind].contains(subject.kind.string)
        guard isMine else { return false }
        context.showPage()
        switch PostItem(subject.kind, subject.reference) {
        case .comments(let post): open(post)
        case .message(let person): openPost(ofRequestBy: person)
        case .opened, nil: break
        }
        return true
    }

    /// A button that opens the post with news or the chat, or the answers to a person who asks to
    /// write to the user.
    public func answers(to item: InboxList.Item) -> [PanelAction] {
        switch PostItem(item.kind, item.ref?.string) {
        case .comments(let post):
            return [
                PanelAction(localized("Show")) { [weak self] in
                    self?.context.showPage()
                    self?.open(post)
                }
            ]
        case .message(let person): return answers(toRequestBy: person)
        case .opened: return item.person.map(chat(with:)) ?? []
        case nil: return []
        }
    }

    /// Whether a post can be written, and the value is of use for it.
    public func canAccept(_ offer: Offer) -> Bool {
        guard model.isOutside == false else { return false }
        if case .track(let track) = offer { return (try? RecordKey(track.id)) != nil }
        return true
    }

    /// Writes a post about a recorded walk, or at a location.
    public func accept(_ offer: Offer) {
        switch offer {
        case .track(let track):
            guard let walk = try? RecordKey(track.id) else { return }
            var form = unsent ?? PostForm()
            form.tell(ofWalk: walk)
            write(form)
        case .location(let location, _):
            var form = unsent ?? PostForm()
            form.location = location
            write(form)
        default: return
        }
        context.showPage()
    }
}
