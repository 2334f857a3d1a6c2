public import PluginKit
internal import PostsAPI

extension Posts {
    /// The commands of posts, each with the function that performs it.
    public static let commands: [CommandHandler] = [
        handle(PostCommands.list) { posts, request in try await posts.list(request) },
        handle(PostCommands.search) { posts, request in try await posts.search(request) },
        handle(PostCommands.show) { posts, request in try await posts.show(request) },
        handle(PostCommands.open) { posts, request in try await posts.open(request) },
        handle(PostCommands.mine) { posts, request in try await posts.mine(request) },
        handle(PostCommands.write) { posts, request in try await posts.write(request) },
        handle(PostCommands.edit) { posts, request in try await posts.edit(request) },
        handle(PostCommands.delete) { posts, request in try await posts.delete(request) },
        handle(PostCommands.renew) { posts, request in try await posts.renew(request) },
        handle(PostCommands.today) { posts, _ in try await posts.today() },
        handle(PostCommands.comment) { posts, request in try await posts.comment(request) },
        handle(PostCommands.uncomment) { posts, request in try await posts.uncomment(request) },
        handle(PostCommands.like) { posts, request in try await posts.like(request) },
        handle(PostCommands.unlike) { posts, request in try await posts.unlike(request) },
        handle(PostCommands.thumbnails) { posts, request in
            try await posts.thumbnails(request)
        },
        handle(PostCommands.photo) { posts, request in try await posts.photo(request) },
        handle(PostCommands.drafts) { posts, _ in try await posts.drafts() },
        handle(PostCommands.draft) { posts, request in try await posts.save(request) },
        handle(PostCommands.discard) { posts, request in try await posts.discard(request) },
        handle(PostCommands.hide) { posts, request in try await posts.hide(request) },
        handle(PostCommands.unhide) { posts, request in try await posts.unhide(request) },
        handle(PostCommands.hidden) { posts, _ in try await posts.hidden() },
        handle(PostCommands.report) { posts, request in try await posts.report(request) },
        handle(PostCommands.settings) { posts, _ in try await posts.settings() },
        handle(PostCommands.editSettings) { posts, request in
            try await posts.change(request)
        },
        handle(PostMessageCommands.message) { posts, request in
            try await posts.message(request)
        },
        handle(PostMessageCommands.messages) { posts, _ in
            try await posts.correspondences.list()
        },
        handle(PostMessageCommands.accept) { posts, request in
            try await posts.correspondences.accept(request)
        },
        handle(PostMessageCommands.decline) { posts, request in
            try await posts.correspondences.decline(request)
        },
        handle(PostMessageCommands.end) { posts, request in
            try await posts.correspondences.end(request)
        },
    ]
}
