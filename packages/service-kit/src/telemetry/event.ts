import { channel, type Channel } from 'node:diagnostics_channel'

/** Something that happens, passed to every listener; costs next to nothing without one. */
export class Event<Facts extends object> {
  readonly #channel: Channel

  constructor (name: string) {
    this.#channel = channel(name)
  }

  publish (facts: Facts): void {
    if (this.#channel.hasSubscribers) this.#channel.publish(facts)
  }

  /** Calls `listener` each time. @returns what ends it */
  subscribe (listener: (facts: Facts) => void): () => void {
    // as: only `publish` publishes here.
    const onMessage = (message: unknown) => listener(message as Facts)
    this.#channel.subscribe(onMessage)
    return () => { this.#channel.unsubscribe(onMessage) }
  }
}
