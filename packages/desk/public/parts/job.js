// A job: an action on many customers. It shows its progress, waits while the service is unavailable, and can be stopped.
import { count, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { backOff, refusalOf, untilOnline } from '../register.js'
import { state, update, updateIn } from '../state.js'
import { warn } from './messages.js'
import { button } from './parts.js'

/** How often the progress is shown. A job that takes less time shows none. */
const SHOWN_MS = 300
/** Statuses after which the same request can succeed. An error in the service itself fails only this customer. */
const UNAVAILABLE = [0, 429, 502, 503, 504]

/**
 * Runs a job. `work` gets `{ signal, advance, persist }`: the signal aborts when the user stops the job or the session ends; `advance`
 * counts what is done; `persist` calls a request until the service responds.
 * @returns what `work` returns, or undefined if another job is running
 */
export async function runJob (title, total, work) {
  if (state.job) return warn(t('job.another'))
  const stopping = new AbortController()
  const signal = AbortSignal.any([stopping.signal, state.session.signal])
  let done = 0
  update({ job: { title, total, done, stop: () => stopping.abort() } })
  const showing = setInterval(() => updateIn('job', { done, isShown: true }), SHOWN_MS)
  addEventListener('beforeunload', confirmLeaving)
  try {
    return await work({ signal, advance: (number = 1) => { done += number }, persist: request => persist(request, signal) })
  } finally {
    removeEventListener('beforeunload', confirmLeaving)
    clearInterval(showing)
    update({ job: null })
  }
}

const confirmLeaving = event => event.preventDefault()

/** Calls a request until the service responds. @throws the error if it cannot succeed, or the job is stopped */
async function persist (request, signal) {
  for (let failures = 0; ; failures++) {
    try {
      const result = await request()
      if (state.job?.paused) updateIn('job', { paused: null })
      return result
    } catch (error) {
      if (signal.aborted) throw error
      const { title, status, temporary, wait } = refusalOf(error)
      if (!temporary || !UNAVAILABLE.includes(status)) throw error
      updateIn('job', { paused: title, isShown: true })
      await untilOnline(backOff(wait, failures), signal)
      if (signal.aborted) throw error
    }
  }
}

/** The running job. Screen readers announce only what it does, and when it waits. */
export function jobView () {
  const { title, total, done, paused, stop } = state.job?.isShown ? state.job : {}
  const progress = total ? t('job.progress', { done: count(done), total: count(total) }) : count(done ?? 0)
  return html`<div class="unseen" role="status">${title} ${paused ? t('job.paused', { reason: paused }) : nothing}</div>
    ${title
      ? html`<section class="toast job" aria-label=${title}>
          <div>
            <p class="title">${title}</p>
            <p class="detail">${paused ? t('job.pausedAt', { progress, reason: paused }) : progress}</p>
            <progress aria-label=${title} max=${total ?? nothing} value=${total ? Math.min(done, total) : nothing}></progress>
          </div>
          ${button(t('stop'), stop, 'quiet')}
        </section>`
      : nothing}`
}
