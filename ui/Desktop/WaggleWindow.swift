import Contract
import ControlAPI
import ControlClient
import Foundation
import Glibc
import GtkKit
import PanelKit

/// The program `waggle-window`: one window over the node of one home.
@main
@MainActor
enum WaggleWindow {
    /// The time for which the program stays after its window was closed, to end what was begun.
    private static let closingMax = Duration.seconds(3)

    /// Opens the window and runs until it is closed. It is synchronous: with an asynchronous main
    /// the main actor would run off the thread that GTK lives on.
    static func main() {
        let environment = ProcessInfo.processInfo.environment
        speak(Language(environment: environment))
        let arguments: WindowArguments
        do {
            arguments = try WindowArguments(Array(CommandLine.arguments.dropFirst()))
        } catch {
            fail(String(describing: error), code: 2)
        }
        guard !arguments.wantsHelp else {
            print(WindowArguments.help)
            exit(0)
        }
        guard !arguments.wantsManual else {
            print(WindowArguments.manual, terminator: "")
            exit(0)
        }
        do {
            exit(try open(arguments, environment))
        } catch let fault as HomeFault {
            show(CommandFault(fault).shown(), environment)
            fail(localized(fault.sentence), code: 1)
        } catch {
            fail(String(describing: error), code: 1)
        }
    }

    private static func open(
        _ arguments: WindowArguments, _ environment: [String: String]
    ) throws -> Int32 {
        let home = try Home.resolve(arguments.home, environment: environment)
        speak(Language(home: home, environment: environment))
        let socketPath = try home.prepareSocket()
        try home.prepare()
        let application = try Application(
            id: home.applicationID(environment), icon: Home.application,
            isService: arguments.isService)
        let installation = installation(environment)
        dress(installation)
        let client = ControlClient(socketPath: socketPath)
        let words = RecoveryWordsFile(path: home.recoveryWordsFile)
        let launcher = NodeLauncher(
            home: arguments.home == nil ? nil : home.directory, folders: installation.searchPath,
            logPath: home.logFile, words: words,
            hasIdentity: { home.hasIdentity || home.isWaiting })
        let clock = WindowClock(now: { MainLoop.now }, after: { MainLoop.after($0, $1) })
        let node = RepeatingConnection(client, clock: clock) {
            var generator = SystemRandomNumberGenerator()
            return ActionID(using: &generator)
        }
        let feed = NodeFeed(connection: client, launcher: launcher, clock: clock)
        let practice = PracticeProcess(
            home: arguments.home == nil ? nil : home.directory, folders: installation.searchPath,
            practiceFolder: home.practiceDirectory, logPath: home.practiceLogFile,
            isWanted: arguments.wantsPractice)
        feed.onLive = {
            node.nodeIsBack()
            practice.nodeIsLive()
        }
        var window: MainWindow?
        func theWindow() -> MainWindow {
            if let window { return window }
            let made = MainWindow(
                of: application, node: node, feed: feed, words: words, practice: practice,
                tips: TipsFile(path: home.tipsFile),
                dragged: DraggedFiles(folder: home.draggedDirectory),
                catalogue: PanelCatalogue.all)
            window = made
            return made
        }
        application.onAction("open") { text in
            theWindow().open(InboxSubject(text) ?? .inbox)
        }
        let code = application.run { theWindow().present() }
        // What the user did last is done although the window is closed.
        MainLoop.turn(atMost: closingMax) { window?.board.unfinishedCount ?? 0 == 0 }
        return code
    }

    /// Continues in a language.
    private static func speak(_ language: Language) {
        do throws(CatalogueFault) {
            Catalogue.current = try Catalogue(language)
        } catch {
            warn("The texts in the language “\(language.rawValue)” cannot be used: \(error)")
        }
    }

    /// Loads the style and the icons, and follows the desktop's choice of light or dark until the
    /// setting is known.
    private static func dress(_ installation: Installation) {
        ColourScheme.desktop.apply()
        guard let resources = installation.resources else {
            warn(localized("The style sheet was not found; the window looks plain."))
            return
        }
        Stylesheet.addIcons(path: resources + "/icons")
        do {
            try Stylesheet.load(path: resources + "/style.css")
        } catch {
            warn(localized("The style sheet cannot be used: \(error)"))
        }
    }

    /// Shows in a window why the home cannot be used: a person who started the program from a menu
    /// sees no standard error. Returns when the window is closed, or at once without a display.
    private static func show(_ sentence: String, _ environment: [String: String]) {
        guard
            let application = try? Application(
                id: Home.application + ".Refused", icon: Home.application, isService: false)
        else { return }
        dress(installation(environment))
        let page = NodeStatePage(icon: "dialog-warning-symbolic")
        var window: Window?
        page.say(localized("Waggle cannot use its folder"), sentence, action: localized("Close")) {
            window?.close()
        }
        _ = application.run {
            if window == nil {
                let made = Window(
                    of: application, header: HeaderBar(title: "Waggle"), width: 560, height: 440)
                made.setTitle("Waggle")
                made.setContent(page)
                window = made
            }
            window?.present()
        }
    }

    private static func installation(_ environment: [String: String]) -> Installation {
        Installation(
            programPath: (try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/exe")) ?? CommandLine.arguments[0],
            environment: environment)
    }

    private static func warn(_ sentence: String) {
        try? FileHandle.standardError.write(contentsOf: Data("waggle-window: \(sentence)\n".utf8))
    }

    private static func fail(_ sentence: String, code: Int32) -> Never {
        warn(sentence)
        exit(code)
    }
}
