import { CommandError } from '@frontdesk/service-kit/cli/errors'

/** Details of a transient failure. */
interface Details extends ErrorOptions {
  /** Whether a connection was established. */
  readonly wasReached?: boolean
  /** Minimum delay of a retry, in milliseconds. */
  readonly retryAfterMs?: number
  /** Records that the import has processed. */
  readonly done?: number
}

/** A failure after which a retry may succeed. */
export class TransientError extends CommandError {
  readonly wasReached: boolean
  readonly retryAfterMs: number
  readonly done: number

  constructor (message: string, { wasReached = true, retryAfterMs = 0, done = 0, ...options }: Details = {}) {
    super(message, options)
    this.wasReached = wasReached
    this.retryAfterMs = retryAfterMs
    this.done = done
  }
}
