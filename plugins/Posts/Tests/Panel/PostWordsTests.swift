import Contract
import PanelKit
import PanelTestSupport
import PostsAPI
import Testing

@testable import PostsPanel

/// Posts and comments in words. Whatever their authors wrote stays within its lines.
struct PostWordsTests {
    private func post(
        title: String = "A lead", text: String = "", name: String? = "Ben", isMine: Bool = false,
        isMate: Bool = false, likes: Int = 0, comments: Int = 0, isPopular: Bool = false,
        location: PostLocation? = nil, isShortened: Bool = false
    ) -> Post {
        Post(
            id: id("1"), space: key("a"), neighbourhood: "Seongsu", author: key("b"), name: name,
            isMine: isMine, isMate: isMate, category: .secondHand, title: title, text: text,
            isShortened: isShortened, location: location, atMs: .min, expiresMs: .min,
            likes: likes, comments: comments, isPopular: isPopular)
    }

    private func entry(_ post: Post, from location: Coordinate? = nil) -> PostEntry {
        PostEntry(post, from: location, now: .min)
    }

    @Test func `a title stays on one line and within its length`() {
        #expect(entry(post(title: "a\nb\u{202e}c\u{7}")).title == "abc")
        #expect(entry(post(title: String(repeating: "x", count: 90))).title.count == 50)
        #expect(entry(post(title: " \n")).title == "(without a title)")
    }

    @Test func `a text keeps its lines, with one empty line at most between two`() {
        func shown(_ text: String) -> String {
            PostWords.text(PostText.Shown(clipping: text))
        }
        #expect(shown("one\ntwo") == "one\ntwo")
        #expect(shown("one\n\n\n \n\ntwo\n\n") == "one\n\ntwo")
        #expect(shown("a\u{2066}b") == "ab")
        #expect(shown(String(repeating: "\n", count: 900) + "end") == "end")
    }

    @Test func `an author without a name is called by the end of their key`() {
        let line = entry(post(name: nil)).line
        #expect(line.hasPrefix("Second-hand · Someone without a name ("))
        #expect(entry(post(name: "B\nen", isMine: false)).line.hasPrefix("Second-hand · Ben · "))
        #expect(entry(post(isMine: true)).line.hasPrefix("Second-hand · You · "))
    }

    @Test func `a mate is marked apart from the name, which may have any words`() {
        #expect(entry(post(name: "Ben · Mate · b1a60e")).detail.isEmpty)
        let mates = post(isMate: true, likes: 1)
        #expect(entry(mates).detail == "Mate · 1 like" && screen(mates).detail == "Mate · 1 like")
        let there = post(isMate: true, location: PostLocation(latitude: 37.5, longitude: 127))
        #expect(PostLayer.make([there]).markers.map(\.detail) == ["Mate · Second-hand"])
        let comments = [true, false].map { isMate in
            PostComment(
                id: id("4"), author: key("b"), name: "Mate · Ben", isMine: false, isMate: isMate,
                isByAuthor: false, text: "a", atMs: .min)
        }
        let lines = screen(post(), comments: comments).comments.map(\.line)
        #expect(lines.map { $0.hasPrefix("Mate · ") } == [true, false])
    }

    @Test func `markup is a text like any other`() {
        #expect(entry(post(title: "<b>bold</b> &amp;")).title == "<b>bold</b> &amp;")
    }

    @Test func `the numbers and the distance are shown if there are any`() throws {
        #expect(entry(post()).detail.isEmpty)
        let liked = post(likes: 1, comments: 2, isPopular: true)
        #expect(entry(liked).detail == "Popular · 1 like · 2 comments")
        let there = PostLocation(latitude: 37.5, longitude: 127)
        let here = try #require(Coordinate(latitude: 37.501, longitude: 127))
        #expect(entry(post(location: there), from: here).detail == "111 m")
        #expect(entry(post(location: there)).detail.isEmpty)
    }

    @Test func `a number at which the node stops counting stands for more`() {
        let below = post(likes: 999, comments: 999)
        #expect(entry(below).detail == "999 likes · 999 comments")
        let counted = post(likes: 1000, comments: 1000)
        #expect(entry(counted).detail == "1000+ likes · 1000+ comments")
    }

    @Test func `only posts with a location are on the map, by their title`() {
        let there = PostLocation(latitude: 37.5, longitude: 127)
        let layer = PostLayer.make([post(), post(title: "x\ny", location: there)])
        #expect(layer.markers.map(\.title) == ["xy"])
        #expect(layer.markers.first.flatMap { PostLayer.post(of: $0.id) } == id("1"))
        #expect(PostLayer.post(of: "matching-1") == nil && PostLayer.post(of: "post-1") == nil)
    }

    // MARK: The page of a post

    private func screen(
        _ post: Post, comments: [PostComment] = [], message: PostMessage? = nil
    ) -> PostScreen {
        var open = OpenPost(id: post.id)
        open.show(PostDetail(post: post, comments: comments))
        return PostScreen(open, from: nil, message: message, now: .min)
    }

    @Test func `an author edits and renews, others like and write to the author`() {
        let mine = screen(post(isMine: true))
        #expect(mine.actions == [.renew, .edit] && !mine.canLike && mine.expiry != nil)
        let theirs = screen(post())
        #expect(theirs.actions == [.author(.ask)] && theirs.canLike && theirs.expiry == nil)
        #expect(screen(post(isMine: true, isShortened: true)).actions.isEmpty)
    }

    @Test func `a post that is known from a list alone has no actions yet`() {
        let open = OpenPost(id: id("1"), post: post(isMine: true))
        let screen = PostScreen(open, from: nil, message: nil, now: .min)
        #expect(screen.title == "A lead" && screen.actions.isEmpty && screen.hint == nil)
        let unknown = OpenPost(id: id("1"))
        #expect(PostScreen(unknown, from: nil, message: nil, now: .min).title == nil)
    }

    @Test func `the buttons follow from the conversation with the author`() {
        func actions(_ state: PostMessage.State) -> [PostScreen.Action] {
            screen(post(), message: PostMessage(person: key("b"), state: state)).actions
        }
        #expect(actions(.waiting) == [.author(.takeBack)])
        #expect(actions(.asking) == [.author(.decline), .author(.accept)])
        #expect(actions(.accepted) == [])
        #expect(actions(.open) == [.author(.end), .author(.openChat)])
        #expect(actions(.mate) == [.author(.openChat)])
        let asking = PostMessage(
            person: key("b"), state: .asking, text: "Is it\u{202e} free?")
        #expect(screen(post(), message: asking).note == "They ask you: “Is it free?”")
        let own = screen(post(isMine: true), message: asking)
        #expect(own.note == nil && own.actions == [.renew, .edit])
    }

    @Test func `a request to an author has 1 to 100 characters on one line`() {
        var draft = PostMessageDraft(text: String(repeating: "x", count: 100))
        #expect(draft.fault == nil && draft.countText == "100 of 100 characters")
        draft.text += "x"
        #expect(draft.fault == "The text must have 1 to 100 characters; it has 101.")
        draft.text = " "
        #expect(draft.fault == "Type what you want to ask.")
    }

    @Test func `an item of the inbox names comments on a post, or a person who asks`() {
        let messages: InboxKind = "correspondence"
        #expect(PostItem("posts", "posts-\(id("1").string)") == .comments(id("1")))
        #expect(PostItem(messages, "message-\(key("b").string)") == .message(key("b")))
        #expect(PostItem(messages, "opened-\(id("1").string)") == .opened)
        #expect(PostItem("posts", "posts-1") == nil && PostItem(messages, "message-") == nil)
        #expect(PostItem("posts", "message-\(key("b").string)") == nil)
        #expect(PostItem("posts", nil) == nil)
    }

    @Test func `the author of a post is marked in its comments`() {
        let comment = PostComment(
            id: id("4"), author: key("b"), name: "Ben", isMine: false, isByAuthor: true,
            text: "a\n\n\nb\u{202e}", atMs: .min)
        let shown = screen(post(), comments: [comment])
        #expect(shown.comments.map(\.author) == ["Ben (author)"])
        #expect(shown.comments.map(\.text) == ["a\n\nb"])
        #expect(shown.hint == nil && screen(post()).hint == "No comments yet.")
    }

    @Test func `a comment of 300 characters is sent, one of 301 is not`() throws {
        var draft = CommentDraft(text: String(repeating: "x", count: 300))
        #expect(draft.canBeSent && draft.countText == "300 of 300 characters")
        draft.text += "x"
        #expect(!draft.canBeSent)
        #expect(draft.fault == "The comment must have 1 to 300 characters; it has 301.")
        draft.text = " \n"
        #expect(!draft.canBeSent && draft.fault == nil)
    }
}
