public import Location
public import Records

extension ReplicaAccess {
    /// Returns the rows of a query for the nearest records in an area. The query is asked for a
    /// small radius first and for twice as much each time, until there are enough rows, so that a
    /// large area with many records costs no more than a small one.
    ///
    /// Its parameters are `?1` latitude, `?2` longitude and `?3` the radius in metres; the
    /// arguments begin at `?4`. It returns all rows within that radius that are wanted, or the
    /// nearest of them up to a `LIMIT` of at least `count`.
    ///
    /// ```swift
    /// let page = try await context.replica.nearest(20, in: area, Self.nearestSQL)
    /// ```
    /// - Parameters:
    ///   - count: the number of rows that are enough.
    ///   - metres: a distance within which the query returns no rows, such as that of the last row
    ///     of the page before.
    public func nearest(
        _ count: Int, in area: Area, beyond metres: Double = 0, _ sql: String,
        _ arguments: [Value] = []
    ) async throws -> [Row] {
        var radius = max(nearestRadiusMetres, metres * 1.25)
        while true {
            let isWhole = !(radius < area.radiusMetres)
            let rows = try await rows(
                sql,
                [
                    .real(area.centre.latitude), .real(area.centre.longitude),
                    .real(isWhole ? area.radiusMetres : radius),
                ] + arguments)
            if isWhole || rows.count >= count { return rows }
            radius *= 2
        }
    }
}

/// The first radius of a query for the nearest records.
private let nearestRadiusMetres = 100.0
