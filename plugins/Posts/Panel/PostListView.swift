import Contract
import FeaturesAPI
import GtkKit
import PanelKit
import PostsAPI

/// The page of the posts of the neighbourhood: the search, the choice of posts, and the rows.
@MainActor
final class PostListView: Box {
    /// Called when a post is to be written.
    var onWrite: @MainActor () -> Void = {}
    /// Called when the user's own posts are to be shown.
    var onMine: @MainActor () -> Void = {}
    /// Called with another choice of posts.
    var onFilter: @MainActor (PostFilter) -> Void = { _ in }
    /// Called when the visible part of the map is to be listed.
    var onSearchArea: @MainActor () -> Void = {}
    /// Called with the action of an empty list.
    var onRemedy: @MainActor (PostsScreen.Remedy) -> Void = { _ in }
    /// The posts.
    let rows: PostRows

    private let write = Button(icon: "list-add-symbolic", name: localized("Write a post"))
        .suggested().aligned(.end, .centre)
    private let mine = Button(icon: "avatar-default-symbolic", name: localized("Your posts"))
        .flat().aligned(.end, .centre)
    private let more: MenuButton
    private let search = SearchEntry(placeholder: localized("Search posts"))
        .named(localized("Search posts"))
    private let category = DropDown([])
    private let order = DropDown([localized("Newest first"), localized("Nearest first")])
        .named(localized("Order of the posts"))
    private let extent = DropDown([localized("On the map"), localized("Everywhere")])
        .named(localized("Where to look for posts"))
    private let place = DropDown([]).named(localized("Neighbourhood"))
    private let searchArea = Button(
        icon: "system-search-symbolic", text: localized("Search this area"))
    private let heading = Label().styled("heading").width(characters: 34).role(.status)
    private let hint = Label().styled("dim").width(characters: 34).role(.status)
    private let remedy = Button("").aligned(.start)
    private let next = Button("").aligned(.start)
    private let others = Label(localized("Posts without a location are listed everywhere."))
        .styled("dim").width(characters: 34)
    private var shownRemedy: PostsScreen.Remedy?
    private var shownNext: PostsScreen.Remedy?
    private var spaces: [Key] = []
    private var filter = PostFilter()
    /// The words that the line showed last by itself, or that were read from it.
    private var shownWords = ""
    private var isShowing = false

    /// Creates the page.
    /// - Parameter actions: the entries of the menu of the page.
    init(_ thumbnails: PostThumbnailLoader, actions: @escaping @MainActor () -> [PanelAction]) {
        rows = PostRows(localized("Posts"), thumbnails)
        more = MenuButton(actions).titled(localized("More for the neighbourhood")).flat()
        super.init(.down, spacing: 12)
        styled("page")
        category.replaceEntries(
            with: [localized("All categories")] + PostCategory.allCases.map(PostWords.name))
        category.named(localized("Category of the posts"))
        let title = Label(localized("Neighbourhood")).styled("page-title").width(characters: 16)
            .expanding(across: true)
        let choices = Grid(columnSpacing: 6, rowSpacing: 6)
        let columns: Int32 = TextScale.isLarge ? 1 : 2
        for (index, choice) in [extent, category, order, place].enumerated() {
            choices.attach(
                choice.expanding(across: true), column: Int32(index) % columns,
                row: Int32(index) / columns)
        }
        let buttons = Box(.across, spacing: 6, [mine, more.aligned(.end, .centre), write])
        // A large title has no room for buttons beside it.
        let head = Box(
            TextScale.isLarge ? .down : .across, spacing: 6, [title, buttons.aligned(.end)])
        for view in [
            head, search, choices, searchArea, heading, hint, remedy, rows, others, next,
        ] { append(view) }
        connect()
    }

    private func connect() {
        write.onClick { [weak self] in self?.onWrite() }
        mine.onClick { [weak self] in self?.onMine() }
        searchArea.onClick { [weak self] in self?.onSearchArea() }
        remedy.onClick { [weak self] in
            guard let self, let shownRemedy else { return }
            onRemedy(shownRemedy)
        }
        next.onClick { [weak self] in
            guard let self, let shownNext else { return }
            onRemedy(shownNext)
        }
        search.onSearch { [weak self] in self?.chosen() }
        search.onStop { [weak self] in self?.search.text = "" }
        for choice in [category, order, extent, place] {
            choice.onChange { [weak self] in self?.chosen() }
        }
    }

    private func chosen() {
        guard !isShowing else { return }
        let categories = PostCategory.allCases
        var wanted = filter
        wanted.words = search.text
        wanted.category =
            categories.indices.contains(category.selection - 1)
            ? categories[category.selection - 1] : nil
        wanted.order = order.selection == 1 ? .nearest : .newest
        wanted.isEverywhere = extent.selection == 1
        wanted.space =
            spaces.indices.contains(place.selection - 1) ? spaces[place.selection - 1] : nil
        shownWords = wanted.words
        if wanted != filter { onFilter(wanted) }
    }

    /// Shows the posts as they are now.
    func show(_ model: PostsModel, _ screen: PostsScreen) {
        isShowing = true
        show(model.filter, places: model.places ?? [])
        isShowing = false
        more.update()
        showArea(model, screen.heading)
        hint.text = screen.hint ?? ""
        hint.isVisible = screen.hint != nil
        shownRemedy = screen.remedy
        remedy.text = screen.remedy?.title ?? ""
        remedy.isVisible = screen.remedy != nil
        rows.show(screen.entries)
        shownNext = screen.next
        next.text = screen.next?.title ?? ""
        next.isVisible = screen.next != nil
        others.isVisible = screen.next == .everywhere
    }

    /// Shows what follows from the visible part of the map alone, while it moves.
    func showArea(_ model: PostsModel, _ words: String) {
        searchArea.isVisible = model.offersSearch
        heading.text = words
    }

    private func show(_ filter: PostFilter, places: [NeighbourhoodList.Entry]) {
        self.filter = filter
        if places.map(\.id) != spaces {
            spaces = places.map(\.id)
            place.replaceEntries(
                with: [localized("All neighbourhoods")] + places.map(\.name.string))
        }
        place.isVisible = places.count > 1
        place.selection = filter.space.flatMap(spaces.firstIndex).map { $0 + 1 } ?? 0
        category.selection =
            filter.category.flatMap(PostCategory.allCases.firstIndex).map { $0 + 1 } ?? 0
        order.selection = filter.search == nil && filter.order == .nearest ? 1 : 0
        // A search has the newest first.
        if order.isEnabled != (filter.search == nil) { order.isEnabled = filter.search == nil }
        extent.selection = filter.isEverywhere ? 1 : 0
        // What is typed becomes the filter a moment later, and stays meanwhile.
        if filter.words != shownWords {
            shownWords = filter.words
            search.text = filter.words
        }
    }

    /// Moves the keyboard focus to a post, after its page was closed.
    func focus(_ id: RecordKey) { if !rows.focus(id) { write.grabFocus() } }

    /// Moves the keyboard focus to the search.
    func focusSearch() { search.grabFocus() }

    /// Moves the keyboard focus to the button of the user's own posts.
    func focusMine() { mine.grabFocus() }
}
