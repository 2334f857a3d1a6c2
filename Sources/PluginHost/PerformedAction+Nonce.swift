internal import PluginKit

extension PerformedAction {
    /// Returns the next nonce of a scope. It is the same one each time this request is performed.
    ///
    /// For example, `chat send` with the id A creates a message in a space, and the node is killed
    /// before it answers. The window sends A again. The message gets the same nonce and thus the
    /// same id, so the node finds that it exists, and answers with it.
    func nonce(in scope: String) -> Bytes16 {
        let text = "\(id.string) \(number(in: scope)) \(scope)"
        return Bytes16(prefixOf: Digest.request.hash(text.utf8))
    }
}

extension Edit {
    /// Returns the edit with a nonce that depends on the id of the present request, if it has one.
    func repeatable(in space: SpaceDescriptor) -> Edit {
        guard let request = PerformedAction.current,
            case .create(let collection, _, let fields) = self
        else { return self }
        let nonce = request.nonce(in: "\(space.id) \(collection)")
        return .create(collection: collection, nonce: nonce, fields: fields)
    }
}
