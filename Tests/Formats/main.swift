// Writes files in open formats for other parsers, and says what files of others contain.
//
//     waggle-formats write FOLDER COUNT   COUNT files of each format, and what each says as JSON
//     waggle-formats read FILE...         what each file says, one line of JSON each
import Foundation
import OpenFormats

/// Writes files of each format.
func write(_ count: Int, to folder: URL) throws {
    for number in 0..<count {
        var drawn = Drawn(UInt64(number))
        let (calendar, contact) = (try drawn.calendar(), drawn.contact())
        let track = try drawn.track()
        let files: [(ending: String, text: String, said: Data)] = [
            ("ics", calendar.text, try Said.json(calendar.events.map(Said.Event.init))),
            ("vcf", contact.vCard, try Said.json(Said.Person(contact))),
            ("gpx", track.gpx, try Said.json(Said.Walk(track))),
            ("geojson", track.geoJSON, try Said.json(Said.Walk(track))),
        ]
        for file in files {
            let path = folder.appending(path: "\(number).\(file.ending)")
            try Data(file.text.utf8).write(to: path)
            try file.said.write(to: path.appendingPathExtension("json"))
        }
    }
}

/// Returns what a file says; the fault, if it is refused.
func said(_ path: String) throws -> Data {
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    do {
        if path.hasSuffix(".ics") {
            let events = try CalendarFile(ics: bytes, zone: .gmt).events
            return try Said.json(events.map(Said.Event.init))
        }
        guard path.hasSuffix(".vcf") else {
            return try Said.json(Said.Walk(try Track(file: bytes)))
        }
        return try Said.json(Said.Person(try Contact(vCard: bytes)))
    } catch let fault as any SentenceError {
        return try Said.json(["fault": fault.sentence.english])
    }
}

var arguments = CommandLine.arguments.dropFirst()
switch arguments.popFirst() {
case "write" where arguments.count == 2:
    try write(Int(arguments.last ?? "") ?? 0, to: URL(filePath: arguments.first ?? ""))
case "read":
    for path in arguments { print(String(decoding: try said(path), as: UTF8.self)) }
default:
    print("usage: waggle-formats write FOLDER COUNT | read FILE...")
    exit(2)
}
