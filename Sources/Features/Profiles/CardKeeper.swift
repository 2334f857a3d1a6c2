internal import PluginKit

/// The part of the profiles that other features use.
protocol CardKeeper: Sendable {
    /// Returns the cards of people who share theirs with me, including mine.
    func cards() async throws -> [PersonID: Profile]
    /// Returns the times at which the people who share their card chose their photos.
    func photoTimes() async throws -> [PersonID: Timestamp]
    /// Returns whether a person's own card is here.
    func hasCard(of person: PersonID) async throws -> Bool
    /// Changes the tag key, so that the people who know the old one no longer recognise my
    /// announcements.
    func rotateTagKey() async throws
}
