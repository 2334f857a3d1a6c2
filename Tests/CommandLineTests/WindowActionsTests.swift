import Contract
import Foundation
import Node
import Testing

@testable import CommandLineKit

/// Everything that a button or a menu of the window does, a command does too.
@Suite struct WindowActionsTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The texts of buttons and menu entries, each with a command that does the same.
    private static let commands = [
        // The person and the device.
        "Start": "init", "Bring me back": "init --recover",
        "Begin as a new person": "recovery cancel", "Edit": "me edit --nickname Ann",
        "Choose a photo…": "me photo /tmp/me.jpg", "Remove photo": "me photo --remove",
        "Paste": "me photo /tmp/me.jpg",
        "Delete me…": "me delete --yes",
        "Delete me": "me delete --yes",
        "Rename…": "device rename 3fa2c1 phone", "Remove device": "device remove 3fa2c1 --yes",
        "Remove device…": "device remove 3fa2c1",
        "Try with a practice mate": "practice", "Preferences": "config list",
        "Choose…": "config set map.file /tmp/city.mbtiles",
        "Use no file": "config set map.file default",
        "Remove the map file": "config set map.file default",
        "Back up…": "backup /tmp/waggle.backup", "Export…": "export /tmp/waggle.json",
        "Open the data folder": "config get data.folder",
        "Copy the data folder's path": "config get data.folder",
        // Where the person is.
        "I am here": "location share --latitude 37.5 --longitude 127",
        "Type a location…": "location share --latitude 37.5 --longitude 127",
        "Forget": "location forget",
        "Forget my location": "location forget", "Play": "location source gpx --file /tmp/a.gpx",
        // People.
        "Look again": "nearby", "Add by address…": "peer address host:47110",
        "Add": "peer add host:47110", "Details…": "mates",
        "Nickname…": "mates nickname Mina --as Minnie",
        "Remove nickname": "mates nickname Mina --as ''",
        "Save as a contact…": "mates export Mina --vcard /tmp/mina.vcf",
        "Block…": "mates block Mina --reason other", "Block": "mates block Mina --reason other",
        "Unblock": "mates unblock Mina", "Remove…": "mates remove Mina",
        "Remove": "mates remove Mina",
        "Mute": "muted add casino",
        // Devices.
        "Add a device…": "device add", "New code": "device add",
        "Connect": "init --join lusab-babad-gutih-tugad-mudof-sakat",
        // Drops.
        "Drop": "drop start Mina", "Start a drop": "drop start", "Choose": "drop start Mina",
        "Try again": "drop start",
        // Walk requests and the inbox.
        "Ask": "walk ask Mina --message Hi", "Walk…": "walk ask Mina --message Hi",
        "Ask for a walk…": "walk ask Mina --message Hi",
        "Ask for a walk here…": "walk ask Mina --message Hi --latitude 37.5 --longitude 127",
        "Ask back": "walk ask Mina --message Hi", "Ask again": "walk ask Mina --message Hi",
        "Accept": "walk accept 1b5d2e", "Decline": "walk decline 1b5d2e",
        "Cancel request": "walk cancel 1b5d2e", "Dismiss": "inbox dismiss 1b5d2e",
        "Show older": "inbox",
        // Chats.
        "Message": "chat send Mina Hi", "Send": "chat send Mina Hi", "Reply": "chat send Mina Hi",
        "Open its chat": "chat open Mina", "Older messages": "chat page Mina --before c",
        "Newer messages": "chat page Mina --after c", "Delete for me": "chat delete 1b5d2e",
        "Send photos…": "chat send Mina --photo /tmp/pond.jpg",
        "Save as…": "chat photo 1b5d2e --save /tmp/pond.jpg",
        "Delete for everyone": "chat delete 1b5d2e --for-everyone",
        "Delete for everyone…": "chat delete 1b5d2e --for-everyone",
        // Promises.
        "Promise": "promise make --title Dinner --at 18:00 --with Mina",
        "Make a promise": "promise make --title Dinner --at 18:00 --with Mina",
        "New promise here…": "promise make --title Dinner --at 18:00 --with Mina",
        "New promise with…": "promise make --title Dinner --at 18:00 --with Mina",
        "Past promises": "promise list --past", "Show": "promise show Dinner",
        "Confirm": "promise confirm Dinner", "Leave": "promise leave Dinner",
        "Call off": "promise call-off Dinner", "Change": "promise change Dinner --title Lunch",
        "Show where I am": "promise share Dinner", "Stop showing me": "promise stop Dinner",
        "Stop": "promise stop Dinner",
        "Save for a calendar…": "promise export Dinner --ics /tmp/dinner.ics",
        // Interests.
        "Change…": "interests choose coffee tea walks cats films", "We met": "interests met",
        // Matching.
        "Look for people": "matching look", "Stop looking": "matching stop",
        "Withdraw": "matching cancel Mina", "End the match": "matching cancel",
        "End the match…": "matching cancel", "Review…": "matching review --mark useful",
        "No review": "matching skip-review Mina",
        "Remove the filters": "matching edit-filters --clear", "Open the chat": "chat open Mina",
        "Show it on my card": "matching show 1b5d2e", "Show my age": "matching edit-card --age 24",
        "Only people who share a wish": "matching people --shared",
        "Only some ages": "matching edit-filters --age-min 20 --age-max 30",
        // Posts of the neighbourhood.
        "Write a post": "posts write --category walk --title Hi --text Hi",
        "Write a post…": "posts write --category walk --title Hi --text Hi",
        "Write a post here…":
            "posts write --category walk --title Hi --latitude 37.5 --longitude 127",
        "Tell it exactly, not to 100 m": "posts write --category walk --title Hi --precision exact",
        "Where I am": "posts edit 1b5d2e --latitude 37.5 --longitude 127",
        "Without a location": "posts edit 1b5d2e --without-location",
        "Add photos…": "posts edit 1b5d2e --photo /tmp/pond.jpg",
        "Your posts": "posts mine", "Older posts": "posts mine --after c",
        "Keep as a draft": "posts draft --title Hi", "Go on…": "posts drafts",
        "Comment": "posts comment 1b5d2e Hi", "More comments": "posts show 1b5d2e --after c",
        "Hide this post": "posts hide 1b5d2e", "Hidden posts…": "posts hidden",
        "Show again": "posts unhide 1b5d2e", "Show in lists again": "posts unhide 1b5d2e",
        "Report": "posts report 1b5d2e --reason spam",
        "Report…": "posts report 1b5d2e --reason spam", "Muted words…": "muted list",
        "Search this area": "posts list --latitude 37.5 --longitude 127 --radius-metres 500",
        "Search this area for posts":
            "posts list --latitude 37.5 --longitude 127 --radius-metres 500",
        "End the conversation": "posts end Mina", "Your neighbourhoods…": "neighbourhood list",
        "Join": "neighbourhood join Mapo", "Leave…": "neighbourhood leave Mapo",
        // Walks that are recorded.
        "Record a walk": "walk-log start", "Pause": "walk-log pause", "Finish": "walk-log finish",
        "Discard…": "walk-log discard", "Discard": "walk-log discard",
        "Go on": "walk-log resume", "Older walks": "walk-log list",
        "Delete…": "walk-log delete 1b5d2e", "Delete": "walk-log delete 1b5d2e",
        "Take back": "walk-log unshare 1b5d2e",
        "Save as GPX…": "walk-log export 1b5d2e --gpx /tmp/walk.gpx",
        "Save as GeoJSON…": "walk-log export 1b5d2e --geojson /tmp/walk.geojson",
        "Save the picture…": "walk-log export 1b5d2e --png /tmp/walk.png",
        "Keep as a walk": "walk-log import /tmp/walk.gpx",
    ]

    /// The texts of buttons that only move through the window, or act on something of it.
    private static let windowOnly: Set = [
        "Cancel", "Close", "Close this bar", "Close this tip", "Done", "Back", "Later", "Save",
        "Save…", "Copy", "Copied", "Show…", "Undo", "Try again now", "Stop practising",
        "All chats", "All promises", "All walks", "More", "Show on the map", "Show or hide the map",
        "Choose on the map…", "Choose a day and a time", "Keep private",
        "Jump to the newest messages", "Zoom in", "Zoom out",
        "Show everyone", "My location", "Keyboard shortcuts", "About Waggle",
        "Recovery words…", "I have written them down", "I have used Waggle before", "Other words…",
        "Another way…",
        "Replay the walk", "My other device is here", "I have my nine words", "Other code…",
        "Another question", "Back to matching", "Back to the neighbourhood", "On the map",
        "Without the walk",
    ]

    @Test func `every action of the window has a command`() throws {
        let parser = CommandLineParser(
            CommandTable(node: CommandCatalogue.declarations),
            now: Timestamp(milliseconds: 1_795_392_000_000))
        for (text, command) in Self.commands {
            let words = command.split(separator: " ").map { $0 == "''" ? "" : String($0) }
            guard case .run = try parser.parse(words).purpose else {
                Issue.record("\(text): 'waggle \(command)' calls no command")
                continue
            }
        }
    }

    @Test func `every button and menu entry of the window is listed here`() throws {
        let known = Self.windowOnly.union(Self.commands.keys)
        let shown = try Self.sources().reduce(into: Set<String>()) { texts, source in
            for pattern in Self.buttons {
                texts.formUnion(source.matches(of: pattern).map { String($0.output.1) })
            }
        }
        #expect(shown.count > 50)
        #expect(shown.subtracting(known).sorted() == [], "list these with a command")
    }

    @Test func `every listed text is one of the window's`() throws {
        let texts = try Self.sources().joined()
        let gone = Self.windowOnly.union(Self.commands.keys).filter {
            !texts.contains("localized(\"\($0)\"")
        }
        #expect(gone.sorted() == [], "the window has no such text")
    }

    /// The ways in which sources name buttons and menu entries.
    private static var buttons: [Regex<(Substring, Substring)>] {
        [
            /Button\(\s*(?:icon: [^,]+, (?:name|text): )?localized\("([^"\\]+)"\)/,
            /PanelAction\(\s*localized\("([^"\\]+)"\)/, /[^l]action\(localized\("([^"\\]+)"\)/,
            /PopupMenu\.Entry\(\s*localized\("([^"\\]+)"\)/,
            /button: localized\("([^"\\]+)"\)/,
            /\.(?:person|location|group|room|device|announced|trackFile): localized\("([^"\\]+)"\)/,
        ]
    }

    /// The sources of the window and of the panels that are part of the build.
    private static func sources() throws -> [String] {
        let folders =
            ["ui/Desktop", "ui/PanelKit"]
            + [
                "Chat", "Promises", "ProximityDrop", "Interests", "WalkLog", "Matching", "Posts",
            ].map { "plugins/\($0)/Panel" }
        return try folders.flatMap { folder in
            let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
            return try (files?.compactMap { $0 as? String } ?? [])
                .filter { $0.hasSuffix(".swift") }.map { file in
                    try String(
                        contentsOf: root.appending(path: "\(folder)/\(file)"), encoding: .utf8)
                }
        }
    }
}
