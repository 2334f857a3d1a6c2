internal import ControlAPI
internal import Files
internal import Foundation
internal import NodeAPI
internal import PluginHost
internal import PluginKit

/// Keeps the file of the setting ``CalendarFileSetting`` current: the appointments to come of all
/// plugins, for a calendar program that subscribes to it.
struct CalendarKeeper: Sendable {
    let host: PluginHost
    let events: EventHub
    let settings: NodeSettings
    let clock: any NodeClock
    let logger: Logger
    /// Rings when the file may not be current.
    private let alarm = Alarm()

    /// The shortest time between two writes: several changes at once are written once.
    static let pauseMin = Duration.seconds(2)
    /// The longest time between two looks, after which past appointments leave the file.
    static let pauseMax = Duration.seconds(60 * 60)

    init(
        host: PluginHost, events: EventHub, settings: NodeSettings, clock: any NodeClock,
        logger: Logger
    ) {
        self.host = host
        self.events = events
        self.settings = settings
        self.clock = clock
        self.logger = logger
    }

    /// The path of the file; nil if the setting names none.
    var path: String? { FileSetting.path(settings.value(of: .calendarFile)) }

    /// Keeps the file current until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await ringAfterChanges() }
            group.addTask { await writeWhenDue() }
            await group.next()
            group.cancelAll()
        }
    }

    private func ringAfterChanges() async {
        let topics = host.appointmentTopics
        for await event in events.follow() where topics.contains(event.topic) { alarm.ring() }
    }

    private func writeWhenDue() async {
        do {
            while true {
                if let path { await update(path) }
                try await clock.sleep(for: Self.pauseMin)
                try await alarm.wait(for: Self.pauseMax, on: clock)
            }
        } catch {
            // The node ends.
        }
    }

    private func update(_ path: String) async {
        do {
            try Self.write(try await text(), to: path)
        } catch {
            logger.error(
                "the calendar file was not written",
                metadata: ["path": "\(path)", "why": "\(CommandFault(error).reason.english)"])
        }
    }

    /// Returns the calendar of all appointments to come.
    func text() async throws -> String {
        CalendarFile(name: Self.name, events: try await host.appointments()).text
    }

    /// Writes the file in one step, unless it has this text already.
    /// - Throws: ``CommandFault/conflict(_:)`` if another program wrote the file that is there,
    ///   ``CommandFault/refused(_:)`` if it cannot be written.
    static func write(_ text: String, to path: String) throws(CommandFault) {
        let bytes = Array(text.utf8)
        do {
            let before = try SafeFile.readRegular(path, bytesMax: max(bytes.count, headBytesMax))
            guard before != bytes else { return }
            let head = String(decoding: before.prefix(headBytesMax), as: UTF8.self)
            guard head.contains(CalendarFile.producer), head.contains("X-WR-CALNAME:\(name)") else {
                throw CommandFault.conflict(
                    "Waggle did not write the file at \(path), so it is not replaced; choose another "
                        + "name.")
            }
        } catch let fault as CommandFault {
            throw fault
        } catch let error as POSIXError where error.code == .ENOENT {
            // It is written for the first time.
        } catch {
            throw .refused("\(path) cannot be read: \(error.localizedDescription)")
        }
        do { try SafeFile.replace(path, with: bytes) } catch {
            throw .refused("\(path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// The name of the calendar. A file with a single event, which the person saved, has none.
    private static let name = "Waggle"
    /// The part of a file in which the lines of this calendar are looked for, in bytes.
    private static let headBytesMax = 256
}
