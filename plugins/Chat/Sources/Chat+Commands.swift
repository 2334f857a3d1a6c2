internal import ChatAPI
public import PluginKit

extension Chat {
    /// The functions that perform the commands.
    public static let commands: [CommandHandler] = [
        handle(ChatCommands.rooms) { chat, _ in try await chat.listRooms() },
        handle(ChatCommands.open) { chat, request in try await chat.open(request) },
        handle(ChatCommands.page) { chat, request in try await chat.showPage(request) },
        handle(ChatCommands.send) { chat, request in try await chat.send(request) },
        handle(ChatCommands.photo) { chat, request in try await chat.photo(request) },
        handle(ChatCommands.thumbnails) { chat, request in try await chat.thumbnails(request) },
        handle(ChatCommands.delete) { chat, request in try await chat.delete(request) },
        handle(ChatCommands.search) { chat, request in try await chat.search(request) },
        handle(ChatCommands.follow) { chat, request in try await chat.follow(request) },
    ]
}
