// Undoing changes of many customers, such as an import: the user first sees what would happen.
import { rich, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { refreshAndFocus } from '../list/remove.js'
import { isSure } from '../parts/dialog.js'
import { runJob } from '../parts/job.js'
import { say, warn } from '../parts/messages.js'
import { moreView, time } from '../parts/parts.js'
import { authorOf } from '../people.js'
import { customers, refusalOf } from '../register.js'
import { state, update } from '../state.js'

const MAX_LISTED = 10

/** Undoes an operation, or what an app did since a time, if the user confirms. */
export async function undoChanges (what) {
  // The question is a dialog of its own: it gets the focus.
  await update({ dialog: null })
  const plan = await attempt(t('undo.checking'), undefined, { what, dryRun: true })
  if (!plan) return
  if (plan.reverted === 0) return warn(t('undo.nothing'), { detail: skippedOf(plan) })
  // A function: the names of users arrive later.
  if (!await isSure({ title: t('undo.question'), body: () => planView(plan), yes: t('undo') })) return
  const report = await attempt(t('undo.running'), plan.customers, { what, dryRun: false })
  if (!state.session) return
  await refreshAndFocus()
  if (!report) return
  say(t('undo.done', { count: report.reverted }), { detail: skippedOf(report) })
}

/** Undoes an operation without a question. @returns what to show if nothing was undone */
export async function undoAtOnce (operation) {
  const report = await customers.undo(operation).catch(refusalOf)
  if (report.reverted > 0) return
  const { sentence } = report
  return html`<p>${t('saved.notUndone')} ${sentence}</p>
    ${sentence ? nothing : html`<ul class="lines">${report.reasons.map(reasonView)}</ul>`}`
}

const skippedOf = ({ skipped }) => skipped > 0 ? t('undo.skips', { count: skipped }) : undefined

/** Sends it, again and again while the service is unavailable: it continues. @returns undefined if it fails: a message says why */
async function attempt (title, total, { what, dryRun }) {
  return await runJob(title, total, async ({ signal, persist }) => {
    try {
      return await persist(() => customers.undo(what, { dryRun, signal }))
    } catch (error) {
      if (!state.session) return
      if (signal.aborted) say(t('undo.stopped'))
      else {
        const { sentence, errors } = refusalOf(error)
        warn(t('failure', { what: t('saved.notUndone'), why: errors.since ?? sentence }))
      }
    }
  })
}

function planView (plan) {
  const { reverted, skipped, reasons } = plan
  return html`<p>${t('undo.reverts', { count: reverted })} ${skippedOf(plan) ?? nothing}</p>
    ${skipped > 0
      ? html`<ul class="lines" tabindex="0" aria-label=${t('undo.skipped')}>${reasons.slice(0, MAX_LISTED).map(reasonView)}</ul>
        ${moreView(skipped - Math.min(reasons.length, MAX_LISTED))}`
      : nothing}`
}

function reasonView ({ customerid, reason, at, sub }) {
  const { who, name } = authorOf(sub)
  const kind = reason === 'removed' ? 'removed' : reason === 'changed' && at ? 'updated' : undefined
  return html`<li>${customerid === undefined ? nothing : html`<b>${t('customer.number', { number: customerid })}</b>`}
    <p>${kind ? html`${rich(`history.${kind}.${who}`, { name })} · ${time(at)}` : whyNot(reason)}</p></li>`
}

/** Why a customer stays as it is, without a period. */
export const whyNot = reason => ({
  changed: t('reason.changed'),
  unknown: t('reason.removed'),
  'registered again': t('reason.taken'),
  merged: t('undo.merged'),
  erased: t('reason.erased'),
  'not retained': t('undo.notRetained')
}[reason])
