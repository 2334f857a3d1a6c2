import Contract
import PanelKit
import PostsAPI

/// The fields of a post as they are typed, with the faults and the requests that follow from them.
struct PostForm: Equatable, Sendable {
    /// A photo of the form.
    enum Photo: Hashable, Sendable {
        /// A file that the user chose.
        case file(path: String)
        /// A photo that the post has already.
        case stored(PostPhoto)

        /// The name of the file; empty for a photo that the post has already.
        var fileName: String {
            guard case .file(let path) = self else { return "" }
            return path.split(separator: "/").last.map(String.init) ?? path
        }
    }

    /// The form's subject.
    enum Subject: Equatable, Sendable {
        /// A new post.
        case new
        /// A draft that becomes a post.
        case draft(RecordKey)
        /// A post that is changed.
        case post(Post)
    }

    /// The subject.
    let subject: Subject
    /// The neighbourhood's space; nil if none is chosen yet.
    var space: Key?
    /// The category.
    var category = PostCategory.question
    /// The typed title.
    var title = ""
    /// The typed text.
    var text = ""
    /// The chosen location; nil for none.
    var location: Coordinate?
    /// Whether others read the location as it was chosen.
    var isExact = false
    /// The photos, in their order.
    private(set) var photos: [Photo] = []
    /// The sentences about files that were left out since photos were last added or removed.
    private(set) var photoFaults: [String] = []
    /// The recorded walk whose distance and time the post tells.
    var walk: RecordKey?

    /// The maximum number of characters of a title.
    static var titleCharactersMax: Int { PostTitle.rule.characters.upperBound }
    /// The maximum number of characters of a text.
    static var textCharactersMax: Int { PostText.rule.characters.upperBound }

    /// An empty form of a new post.
    init(space: Key? = nil) {
        subject = .new
        self.space = space
    }

    /// The form of a draft.
    init(_ draft: SavedPostDraft) {
        subject = .draft(draft.id)
        space = draft.space
        category = draft.category ?? .question
        title = draft.title.string
        text = draft.text.string
        location = draft.location?.coordinate
        isExact = draft.precision == .exact
    }

    /// The form of a post that is changed.
    init(_ post: Post) {
        subject = .post(post)
        space = post.space
        category = post.category
        title = post.title.string
        text = post.text.string
        location = post.location?.coordinate
        photos = post.photos.map(Photo.stored)
    }

    /// Lets the post tell the distance and the time of a recorded walk.
    mutating func tell(ofWalk walk: RecordKey) {
        self.walk = walk
        category = .walk
    }

    /// Whether a post is changed.
    var isChange: Bool { if case .post = subject { true } else { false } }

    /// Whether a draft could keep something of it.
    var isWorthKeeping: Bool { !isChange && !(title.trimmed.isEmpty && text.trimmed.isEmpty) }

    // MARK: Photos

    /// Adds photos up to the limit.
    /// - Returns: the number of those for which there is no room.
    mutating func add(files paths: [String]) -> Int {
        photoFaults = []
        let new = paths.map { Photo.file(path: $0) }.filter { !photos.contains($0) }
        let room = max(0, PostCommands.photosCountMax - photos.count)
        photos += new.prefix(room)
        return max(0, new.count - room)
    }

    /// Removes a photo.
    mutating func remove(_ photo: Photo) {
        photoFaults = []
        photos.removeAll { $0 == photo }
    }

    /// Leaves out a file that is no picture that can be read. After a fault that is not about the
    /// picture it stays, because the node may read it.
    mutating func leaveOut(_ photo: Photo, because fault: PhotoFault) {
        guard fault.isAboutPicture, let index = photos.firstIndex(of: photo) else { return }
        photos.remove(at: index)
        let reason = localized(fault.sentence)
        photoFaults.append(localized("Could not add \(photo.fileName): \(reason)"))
    }

    /// Whether there is room for another photo.
    var canAddPhotos: Bool { photos.count < PostCommands.photosCountMax }

    /// Whether it adds more photos than other devices keep the thumbnails of today.
    /// - Parameter left: the number that they still keep in each neighbourhood.
    func addsTooManyPhotos(_ left: [Key: Int]) -> Bool {
        guard let space, let left = left[space] else { return false }
        return files.count > left
    }

    // MARK: Limits

    /// Whether it takes more bytes than others still store of the user today.
    /// - Parameter left: the bytes that are left in each neighbourhood.
    func exceedsDay(_ left: [Key: Int]) -> Bool {
        guard let space, let left = left[space] else { return false }
        let texts = title.trimmed.utf8.count + text.trimmed.utf8.count
        return texts + Self.postBytes + photos.count * Self.photoBytes > left
    }

    /// The bytes that a post and a photo take besides texts, roughly.
    private static let (postBytes, photoBytes) = (400, 350)

    /// The number of characters of the title, of the admitted number.
    var titleCount: String { Self.count(title, of: Self.titleCharactersMax) }
    /// The number of characters of the text, of the admitted number.
    var textCount: String { Self.count(text, of: Self.textCharactersMax) }

    private static func count(_ text: String, of max: Int) -> String {
        localized("\(text.trimmed.count) of \(max) characters")
    }

    /// The part that is missing or too long; nil if the post can be published.
    var fault: String? {
        if title.trimmed.isEmpty { return localized("Type a title.") }
        do {
            _ = try checkedTitle()
            _ = try checkedText()
        } catch { return error.shown(labels: Self.labels) }
        if space == nil { return localized("Choose a neighbourhood.") }
        if isChange, change == nil { return localized("Nothing is changed yet.") }
        return nil
    }

    /// The names of the fields in sentences about faults.
    static var labels: [String: String] {
        ["title": localized("The title"), "text": localized("The text")]
    }

    private func checkedTitle() throws(CommandFault) -> PostTitle {
        try PostTitle(title, field: "title")
    }

    private func checkedText() throws(CommandFault) -> PostText {
        try PostText(text, field: "text")
    }

    // MARK: Requests

    private var precision: PostPrecision? {
        location == nil ? nil : isExact ? .exact : .rounded
    }

    private var files: [FilePath] {
        photos.compactMap { photo in
            guard case .file(let path) = photo else { return nil }
            return try? FilePath(path)
        }
    }

    /// Returns the request that publishes a new post or a draft. It does not name the draft, which
    /// would give it what the user has removed, such as the location.
    /// - Throws: ``CommandFault/usage(_:field:)`` with the first rule that a text breaks.
    func writing() throws(CommandFault) -> WritePost {
        WritePost(
            category: category, title: try checkedTitle(), text: try checkedText(),
            neighbourhood: space.map(NameOrKey.init), latitude: location?.north,
            longitude: location?.east, precision: precision, photo: files.isEmpty ? nil : files,
            walk: walk.map(RecordPrefix.init))
    }

    /// Whether a location that others have read is changed or removed.
    var replacesLocation: Bool {
        guard case .post(let post) = subject, let before = post.location?.coordinate else {
            return false
        }
        return location != before
    }

    /// The request that changes a post; nil if nothing is changed, or a text breaks its rule.
    var change: EditPost? {
        guard case .post(let post) = subject, let title = try? checkedTitle(),
            let text = try? checkedText()
        else { return nil }
        let kept = Set(photos)
        let removed = post.photos.filter { !kept.contains(.stored($0)) }
        let before = post.location?.coordinate
        let isMoved = location != before
        let edit = EditPost(
            id: RecordPrefix(post.id), category: category == post.category ? nil : category,
            title: title.string == post.title.string ? nil : title,
            text: text.string == post.text.string ? nil : text,
            latitude: isMoved ? location?.north : nil, longitude: isMoved ? location?.east : nil,
            precision: isMoved ? precision : nil,
            withoutLocation: isMoved && location == nil ? true : nil,
            photo: files.isEmpty ? nil : files,
            withoutPhoto: removed.isEmpty ? nil : removed.map { RecordPrefix($0.id) })
        return edit == EditPost(id: edit.id) ? nil : edit
    }

    /// The request that deletes the draft once it is published; nil if there is none.
    var discarding: NamePostDraft? {
        guard case .draft(let id) = subject else { return nil }
        return NamePostDraft(draft: RecordPrefix(id))
    }

    /// The request that keeps a draft. A title or text that is too long is cut. Photos and the walk
    /// are not kept.
    var keeping: SavePostDraft {
        var replaced: RecordPrefix?
        if case .draft(let id) = subject { replaced = RecordPrefix(id) }
        let cut = PostTitle.rule.clip(title) ?? ""
        return SavePostDraft(
            draft: replaced, neighbourhood: space.map(NameOrKey.init), category: category,
            title: try? Text<0, 50>(cut, field: "title"),
            text: try? PostText(PostText.rule.clip(text) ?? "", field: "text"),
            latitude: location?.north, longitude: location?.east, precision: precision)
    }
}
