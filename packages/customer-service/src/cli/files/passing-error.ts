import { CommandError } from '@frontdesk/service-kit/cli/errors'

/** Particulars of a failure that may pass. */
interface Particulars extends ErrorOptions {
  /** Whether there was a connection, or a response. */
  readonly wasReached?: boolean
  /** How long to wait at least, in milliseconds. */
  readonly retryAfterMs?: number
  /** Records of an import that are done. */
  readonly done?: number
}

/** A failure after which the same request may succeed. */
export class PassingError extends CommandError {
  readonly wasReached: boolean
  readonly retryAfterMs: number
  readonly done: number

  constructor (message: string, { wasReached = true, retryAfterMs = 0, done = 0, ...options }: Particulars = {}) {
    super(message, options)
    this.wasReached = wasReached
    this.retryAfterMs = retryAfterMs
    this.done = done
  }
}
