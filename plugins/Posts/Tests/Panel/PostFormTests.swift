import Contract
import PanelKit
import PanelTestSupport
import PostsAPI
import Testing

@testable import PostsPanel

/// The form of a post: its limits, and the requests that follow from it.
struct PostFormTests {
    private var form: PostForm {
        var form = PostForm(space: key("a"))
        form.title = "A vet on Sundays?"
        return form
    }

    private var post: Post {
        Post(
            id: id("1"), space: key("a"), neighbourhood: "Seongsu", author: key("b"),
            isMine: true, isMate: false, category: .free, title: "A lead", text: "Red.",
            isShortened: false, location: PostLocation(latitude: 37.5, longitude: 127),
            atMs: .min, expiresMs: .min,
            photos: [
                PostPhoto(id: id("2"), sides: PhotoSides(width: 4, height: 3)),
                PostPhoto(id: id("3"), sides: PhotoSides(width: 4, height: 3)),
            ])
    }

    @Test func `a title of 50 characters is published, one of 51 is not`() {
        var form = form
        form.title = String(repeating: "가", count: 50)
        #expect(form.fault == nil && form.titleCount == "50 of 50 characters")
        form.title += "가"
        #expect(form.fault == "The title must have 1 to 50 characters; it has 51.")
        form.title = "  "
        #expect(form.fault == "Type a title.")
        form.title = "a\u{202e}b"
        #expect(form.fault != nil, "a mark that turns the line around")
    }

    @Test func `a text of 1000 characters is published, one of 1001 is not`() {
        var form = form
        form.text = String(repeating: "x", count: 1000)
        #expect(form.fault == nil && form.textCount == "1000 of 1000 characters")
        form.text += "x"
        #expect(form.fault == "The text must have at most 1000 characters; it has 1001.")
    }

    @Test func `the tenth photo has room, the eleventh has not`() {
        var form = form
        #expect(form.add(files: (1...9).map { "/\($0).jpg" }) == 0 && form.canAddPhotos)
        #expect(form.add(files: ["/9.jpg", "/10.jpg", "/11.jpg", "/12.jpg"]) == 2)
        #expect(form.photos.count == 10 && !form.canAddPhotos)
        #expect(form.photos.last == .file(path: "/10.jpg"))
    }

    @Test func `files that are no pictures are left out and named, others stay`() {
        var form = form
        _ = form.add(files: ["/a.txt", "/b.txt", "/c.jpg"])
        for name in ["/a.txt", "/b.txt"] {
            form.leaveOut(.file(path: name), because: .notAFile(path: name))
        }
        // The node may read it.
        form.leaveOut(.file(path: "/c.jpg"), because: .busy)
        #expect(form.photos == [.file(path: "/c.jpg")])
        #expect(
            form.photoFaults == [
                "Could not add a.txt: /a.txt is not a file. Choose a picture.",
                "Could not add b.txt: /b.txt is not a file. Choose a picture.",
            ])
        form.remove(.file(path: "/c.jpg"))
        #expect(form.photos.isEmpty && form.photoFaults.isEmpty)
        form.leaveOut(.file(path: "/c.jpg"), because: .notAFile(path: "/c.jpg"))
        #expect(form.photoFaults.isEmpty, "the user had removed it already")
    }

    @Test func `more new photos than others keep today are told, by neighbourhood`() {
        var form = form
        _ = form.add(files: ["/1.jpg", "/2.jpg"])
        #expect(!form.addsTooManyPhotos([key("a"): 2]) && form.addsTooManyPhotos([key("a"): 1]))
        #expect(!form.addsTooManyPhotos([key("b"): 1]) && !form.addsTooManyPhotos([:]))
        // Those that a post has already are kept.
        #expect(!PostForm(post).addsTooManyPhotos([key("a"): 0]))
    }

    @Test func `a post that takes more bytes than are left of the day is told`() {
        var form = form
        form.text = String(repeating: "한", count: 500)
        #expect(form.exceedsDay([key("a"): 1_800]) && !form.exceedsDay([key("a"): 2_000]))
        #expect(!form.exceedsDay([key("b"): 0]) && !form.exceedsDay([:]))
        _ = form.add(files: ["/1.jpg"])
        #expect(form.exceedsDay([key("a"): 2_000]))
    }

    @Test func `a photo is called by the name of its file`() {
        #expect(PostForm.Photo.file(path: "/pictures/gate.jpg").fileName == "gate.jpg")
        #expect(PostForm(post).photos.map(\.fileName) == ["", ""])
    }

    @Test func `a post says where it is only if a location was chosen`() throws {
        var form = form
        var request = try form.writing()
        #expect(request.latitude == nil && request.precision == nil)
        form.location = Coordinate(latitude: 37.5, longitude: 127)
        request = try form.writing()
        #expect(request.latitude?.value == 37.5 && request.precision == .rounded)
        form.isExact = true
        #expect(try form.writing().precision == .exact)
        #expect(request.neighbourhood == NameOrKey(key("a")))
    }

    @Test func `a location that others have read is replaced, moved or removed`() {
        var form = PostForm(post)
        #expect(!form.replacesLocation)
        form.location = Coordinate(latitude: 37.6, longitude: 127)
        #expect(form.replacesLocation)
        form.location = nil
        #expect(form.replacesLocation)
        #expect(!self.form.replacesLocation)
    }

    @Test func `a walk is the category of its post`() throws {
        let request = try {
            var form = PostForm(space: key("a"))
            form.tell(ofWalk: id("7"))
            form.title = "Round the pond"
            return try form.writing()
        }()
        #expect(request.category == .walk && request.walk == RecordPrefix(id("7")))
    }

    @Test func `only what differs is sent as a change`() throws {
        var form = PostForm(post)
        #expect(form.change == nil && form.fault == "Nothing is changed yet.")
        form.title = "A red lead"
        form.remove(form.photos[0])
        _ = form.add(files: ["/4.jpg"])
        let edit = try #require(form.change)
        #expect(edit.title?.string == "A red lead" && edit.text == nil && edit.category == nil)
        #expect(edit.withoutPhoto == [RecordPrefix(id("2"))])
        #expect(edit.photo == [try FilePath("/4.jpg")])
        #expect(edit.latitude == nil && edit.withoutLocation == nil)
    }

    @Test func `a location is removed, or moved with its exactness`() throws {
        var form = PostForm(post)
        form.location = nil
        #expect(form.change?.withoutLocation == true && form.change?.latitude == nil)
        form.location = Coordinate(latitude: 38, longitude: 127)
        #expect(form.change?.latitude?.value == 38 && form.change?.precision == .rounded)
        #expect(form.change?.withoutLocation == nil)
    }

    @Test func `a draft keeps what was typed, cut to the limits, and goes on as it was`() throws {
        var form = form
        #expect(form.isWorthKeeping && !PostForm().isWorthKeeping)
        form.title = String(repeating: "x", count: 60)
        form.text = "To be continued"
        form.location = Coordinate(latitude: 37.5, longitude: 127)
        form.isExact = true
        let kept = form.keeping
        #expect(kept.title?.string.count == 50 && kept.text?.string == "To be continued")
        #expect(kept.precision == .exact && kept.draft == nil)
        let again = PostForm(
            SavedPostDraft(
                id: id("5"), space: key("a"), category: .sitter, title: "Sitter?", text: "In May",
                location: PostLocation(latitude: 37.5, longitude: 127), precision: .exact,
                atMs: .min))
        #expect(again.title == "Sitter?" && again.isExact && again.category == .sitter)
        #expect(again.keeping.draft == RecordPrefix(id("5")))
        #expect(again.discarding?.draft == RecordPrefix(id("5")) && form.discarding == nil)
    }

    @Test func `a location that is removed from a draft is not published with it`() throws {
        var form = PostForm(
            SavedPostDraft(
                id: id("5"), space: key("a"), category: .sitter, title: "Sitter?", text: "",
                location: PostLocation(latitude: 37.5, longitude: 127), precision: .exact,
                atMs: .min))
        #expect(try form.writing().precision == .exact)
        form.location = nil
        let request = try form.writing()
        #expect(request.latitude == nil && request.precision == nil && request.draft == nil)
    }
}
