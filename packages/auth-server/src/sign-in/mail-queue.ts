import pLimit from 'p-limit'

/** Maximum queued requests, which are processed one after the other. */
const MAX_QUEUED_REQUESTS = 1_000
/** How long {@link MailQueue.close} waits for them, in milliseconds. */
const CLOSE_GRACE_MS = 2_000

/** Outcome of a request, for the audit trail. `userId`: the account, if there is one. `unknown`: no user with that name can get email. */
export type Outcome = { readonly outcome: 'sent' | 'throttled', readonly userId: string | null } |
  { readonly outcome: 'failed', readonly userId: string | null, readonly failure: Error } |
  { readonly outcome: 'unknown' }

/** Called later with the outcome of a request. */
export type Note = (outcome: Outcome) => void

/** Requests for email to anyone, which are processed after the response: it takes the same time for every name and address. */
interface MailQueue {
  /** Queues a request. Returns how many seconds to wait if too many are queued, else 0. */
  add (work: () => Promise<void>, note: Note): number
  /** Waits for queued requests, for a few seconds. */
  close (): Promise<void>
}

export function createMailQueue (): MailQueue {
  const inTurn = pLimit(1)
  return {
    add (work, note) {
      if (inTurn.pendingCount >= MAX_QUEUED_REQUESTS) return 2
      inTurn(work).catch(error => note({ outcome: 'failed', userId: null, failure: error }))
      return 0
    },
    async close () {
      let timer: NodeJS.Timeout | undefined
      await Promise.race([inTurn(() => {}), new Promise<void>(resolve => { timer = setTimeout(resolve, CLOSE_GRACE_MS) })])
      clearTimeout(timer)
    }
  }
}
