internal import PluginKit
internal import PostsAPI

/// The nearest posts of an area, in steps of ``PostLimits/stepMetres``.
///
/// They are read ring by ring, from the middle outward. A ring with few posts is read from the
/// R-Tree and sorted. A ring with more is divided; if it is a single step, its newest posts are
/// found by time, since all of its posts are equally near.
///
/// For example, 50 000 posts are at one point 35 m away. The ring of the steps 0 to 7 has too many
/// posts. Steps 0 to 2 have none. In step 3, the newest 40 are the first 40 entries of the index by
/// time.
struct NearestPosts: Sendable {
    private let query: PostQuery
    private let area: Area
    /// Whether the list has so few posts that all of them are sorted.
    private let isSorted: Bool

    init(_ query: PostQuery, _ area: Area, _ replica: any ReplicaAccess) async throws {
        self.query = query
        self.area = area
        isSorted = try await PostCount.category(
            of: query, replica, upTo: query.bounds.category)
    }

    /// Returns the next rows after a cursor, at most `count`.
    func rows(
        after cursor: PostCursor?, count: Int, _ replica: any ReplicaAccess
    ) async throws -> [Row] {
        if isSorted { return try await sorted(after: cursor, from: 0, count, replica) }
        var (rows, next, after): ([Row], Int64, PostCursor?) = ([], 0, cursor)
        if case .nearest(_, let step, _, _) = cursor { next = step }
        var (width, stepsCount) = (Self.firstWidth, 0)
        while rows.count < count, next < end {
            let ring = try await ring(next, width, replica)
            let wanted = count - rows.count
            if ring.isFull {
                stepsCount += 1
                guard stepsCount <= query.bounds.fullSteps else {
                    return rows + (try await sorted(after: after, from: next, wanted, replica))
                }
                rows += try await newest(ofStep: next, after: after, wanted, replica)
            } else {
                rows += try await posts(of: ring.steps, after: after, wanted, replica)
            }
            width = (ring.steps.upperBound - next) * Self.growth
            (next, after) = (ring.steps.upperBound, nil)
        }
        return rows
    }

    /// The step after the last one of the area.
    private var end: Int64 {
        Int64(min(area.radiusMetres, PostLimits.radiusMetresMax) / PostLimits.stepMetres) + 1
    }

    /// Returns the widest ring that has few posts, of at most some steps, or a single step.
    private func ring(
        _ first: Int64, _ width: Int64, _ replica: any ReplicaAccess
    ) async throws -> (steps: Range<Int64>, isFull: Bool) {
        var width = min(width, end - first)
        while true {
            let steps = first..<first + width
            if try await hasFew(steps, replica) { return (steps, false) }
            if width == 1 { return (steps, true) }
            width = max(1, width / Self.growth)
        }
    }

    private func hasFew(_ steps: Range<Int64>, _ replica: any ReplicaAccess) async throws -> Bool {
        guard let outer = Area(around: area.centre, radiusMetres: outerMetres(of: steps)) else {
            return true
        }
        return try await PostCount.near(
            outer, beyond: metres(steps.lowerBound), replica, upTo: query.bounds.sorted)
    }

    private func metres(_ step: Int64) -> Double { Double(step) * PostLimits.stepMetres }

    private func outerMetres(of steps: Range<Int64>) -> Double {
        min(metres(steps.upperBound), area.radiusMetres)
    }

    // MARK: Statements

    /// Reads a ring with few posts from the R-Tree.
    private func posts(
        of steps: Range<Int64>, after cursor: PostCursor?, _ count: Int,
        _ replica: any ReplicaAccess
    ) async throws -> [Row] {
        var statement = PostStatement(query, from: .near)
        statement.require(
            nearWithin: outerMetres(of: steps), beyond: metres(steps.lowerBound))
        statement.require(steps: steps)
        statement.require(after: cursor)
        return try await statement.rows(count, replica)
    }

    /// Reads the newest posts of one step.
    private func newest(
        ofStep step: Int64, after cursor: PostCursor?, _ count: Int, _ replica: any ReplicaAccess
    ) async throws -> [Row] {
        var list = query
        list.order = .newest
        var statement = PostStatement(list, from: .posts)
        if let outer = Area(
            around: area.centre, radiusMetres: outerMetres(of: step..<step + 1))
        {
            statement.require(in: outer)
        }
        statement.require(steps: step..<step + 1)
        if case .nearest(_, _, let stamp, let post) = cursor {
            statement.require(after: .newest(stamp: stamp, post: post))
        }
        return try await statement.rows(count, replica)
    }

    /// Sorts all posts of the list from a step on.
    private func sorted(
        after cursor: PostCursor?, from step: Int64, _ count: Int, _ replica: any ReplicaAccess
    ) async throws -> [Row] {
        var statement = PostStatement(query, from: .posts)
        statement.require(in: area)
        statement.require(steps: step..<Int64.max)
        statement.require(after: cursor)
        return try await statement.rows(count, replica)
    }

    /// The number of steps of the first ring.
    private static let firstWidth: Int64 = 8
    /// Each ring is so many times as wide as the one before.
    private static let growth: Int64 = 4
}
