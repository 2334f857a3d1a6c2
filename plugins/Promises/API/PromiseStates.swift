public import Contract

/// The phase of a promise, which follows from the clock alone.
public enum PromisePhase: String, OpenChoice {
    /// Nothing is shared yet.
    case scheduled
    /// From half an hour before its time: locations are shared.
    case tracking
    /// From three hours after its time: an arrival no longer counts.
    case past
    /// Its maker called it off.
    case deleted
    /// A phase that a newer node added.
    case unknown
}

/// The relation of a person to a promise.
public enum PromiseMembership: String, OpenChoice {
    /// Was asked to take part, and has not answered.
    case invited
    /// Takes part.
    case member
    /// Left, or declined.
    case left
    /// Removed by the maker.
    case removed
    /// A relation that a newer node added.
    case unknown
}

/// The state of sharing my location with the participants of a promise.
public enum PromiseSharing: String, OpenChoice {
    /// The promise is not tracked now.
    case idle
    /// I do not take part, or the promise is deleted.
    case outside
    /// Participants see my location.
    case sharing
    /// They would see it, but no source knows my location.
    case searching
    /// I stopped sharing.
    case stopped
    /// The node ended on the way; sharing continues only after I say so.
    case interrupted
    /// The maker moved the promise to a time that I have not agreed to; nothing is shared until I
    /// confirm it.
    case unconfirmed
    /// Another device of mine set out and shares its location; this one does only after I say so.
    case elsewhere
    /// I have arrived.
    case arrived
    /// A state that a newer node added.
    case unknown
}

/// The lateness of a person at a promise.
public enum PromiseLateness: String, OpenChoice {
    /// Arrived before the time.
    case early
    /// Arrived less than a minute after it.
    case onTime
    /// Arrived a minute or more after it.
    case late
    /// Did not arrive before the promise was past.
    case noShow
    /// Has not arrived yet, and still may.
    case open
    /// A value that a newer node added.
    case unknown
}

/// The prizes of the first three to arrive.
public enum PromiseMedal: String, OpenChoice { case gold, silver, bronze, unknown }

/// The title for the share of promises that a person keeps, from none past yet to all kept.
public enum PromiseTitle: String, OpenChoice {
    case newcomer = "Newcomer"
    case plankton = "Plankton"
    case inchworm = "Inchworm"
    case truant = "Truant"
    case halfAndHalf = "Half-and-half"
    case ordinary = "Ordinary"
    case guardian = "Guardian"
    case friendsFavourite = "Friends' favourite"
    case saint = "Saint"
    /// A title that a newer node added.
    case unknown = "Unknown"
}
