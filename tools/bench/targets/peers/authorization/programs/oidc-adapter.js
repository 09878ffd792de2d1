/** Keeps everything in maps: oidc-provider's own adapter forgets what is older than a thousand entries. */
export class MapAdapter {
  #entries = new Map()
  static #sessions = new Map()

  constructor (model) {
    this.model = model
  }

  async upsert (id, payload) {
    this.#entries.set(id, payload)
    if (this.model === 'Session') MapAdapter.#sessions.set(payload.uid, payload)
  }

  async find (id) {
    return this.#entries.get(id)
  }

  async findByUid (uid) {
    return MapAdapter.#sessions.get(uid)
  }

  async consume (id) {
    this.#entries.get(id).consumed = Math.floor(Date.now() / 1000)
  }

  async destroy (id) {
    this.#entries.delete(id)
  }

  async revokeByGrantId (grantId) {
    for (const [id, payload] of this.#entries) if (payload.grantId === grantId) this.#entries.delete(id)
  }
}
