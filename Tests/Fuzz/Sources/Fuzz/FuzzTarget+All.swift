extension FuzzTarget {
    /// Every target, by what it decodes.
    static let all: [FuzzTarget] = [
        frame, message, open, seek, run, body, header, person, claim, entry, announcement,
        drop, card, position, location, match, proof, agreed, letter, cursor,
        request, json, gpx, gpsd, backup,
        calendar, contact, track,
        picture, answer, worker,
    ]
}
