import { channel, type Channel } from 'node:diagnostics_channel'

/** Publishes events to subscribers, synchronously; cheap without subscribers. */
export class Event<Facts extends object> {
  readonly #channel: Channel

  constructor (name: string) {
    this.#channel = channel(name)
  }

  publish (facts: Facts): void {
    if (this.#channel.hasSubscribers) this.#channel.publish(facts)
  }

  /** Calls `listener` for each event. @returns a function that unsubscribes */
  subscribe (listener: (facts: Facts) => void): () => void {
    // as: only `publish` publishes on this channel.
    const onMessage = (message: unknown) => listener(message as Facts)
    this.#channel.subscribe(onMessage)
    return () => { this.#channel.unsubscribe(onMessage) }
  }
}
