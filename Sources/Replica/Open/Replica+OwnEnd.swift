public import Records

extension Replica {
    /// The last number that this device has used in a space, also if nothing of its log is here any
    /// more; 0 if it has written nothing there.
    public func ownEnd(in space: SpaceID) -> UInt64 {
        guard let state = states[space] else { return 0 }
        return state.rows(of: device).compactMap { state.logs[$0]?.high }.max() ?? 0
    }
}
