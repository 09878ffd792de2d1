// Merging two customers: the user chooses the number that stays, and a value of each field in which they differ.
import { t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { lastChangeOf } from '../list/list.js'
import { button } from '../parts/parts.js'
import { customers, differences, labels, nameOf, reasonOf, refusalOf } from '../register.js'
import { state } from '../state.js'
import { sidesView } from './pair-view.js'

/** Answers after which the customers are read again: one of them was removed, merged or changed. */
const CHANGED = [404, 410, 412]

/**
 * The state of a merge: `{ pair, sides, busy, problem }`. `sides`: whose value of each field to keep, the first customer's (0), as at
 * first, or the other's (1). The customer whose number is kept stays.
 */
export const stepOf = pair => ({ pair, sides: Object.fromEntries(Object.keys(labels).map(name => [name, 0])) })

/** The dialog with the choices. */
export function mergeDialog ({ pair, sides, busy, problem }, { choose, merge, back, close }) {
  const [kept, other] = sortBy(pair, sides)
  return {
    title: t('merge.title'),
    body: html`<p>${t('merge.choose')}</p>
      ${problem ? html`<p role="alert" dir="auto">${problem}</p>` : nothing}
      ${sidesView(pair.customers, sides, choose)}
      <p>${t('merge.result', { number: other.customerid, kept: kept.customerid })}</p>`,
    buttons: html`${button(t('cancel'), back)}
      <button class="primary" type="button" ?disabled=${busy} @click=${merge}>${t('merge.yes')}</button>`,
    close
  }
}

/** The customer that stays, then the other one. */
const sortBy = ({ customers: [one, other] }, { customerid }) => customerid === 0 ? [one, other] : [other, one]

/**
 * Merges the pair, if both are as the user saw them.
 * @returns {Promise<{ done?: { text: string, operation?: string }, step?: any, problem?: string }>} `step`: to choose again
 */
export async function mergePair ({ pair, sides }) {
  const [kept, other] = sortBy(pair, sides)
  const chosen = differences(kept, other).filter(name => name !== 'customerid' && sides[name] !== sides.customerid)
  const values = Object.fromEntries(chosen.map(name => [name, other[name]]))
  const done = operation => ({
    done: { text: t('merge.done', { number: other.customerid, name: nameOf({ ...kept, ...values }), kept: kept.customerid }), operation }
  })
  try {
    const from = { from: other.customerid, fromEtag: other.etag }
    const { operation } = await customers.merge(kept.customerid, { ...from, ...values }, { ifMatch: kept.etag })
    return done(operation)
  } catch (error) {
    if (!CHANGED.includes(error.status)) return { step: { pair, sides, problem: refusalOf(error).sentence } }
    const last = await lastChangeOf(other.customerid)
    // The response to an earlier attempt was lost.
    if (last?.successor === kept.customerid && last.sub === state.session?.sub) return done(last.operation)
    const fresh = await Promise.all(pair.customers.map(({ customerid }) => customers.read(customerid).catch(() => null)))
    if (fresh.includes(null)) return { problem: failureOf('merge.failed', reasonOf(error)) }
    return { step: { pair: { ...pair, customers: fresh }, sides, problem: t('merge.changed') } }
  }
}

/** @param {'merge.failed' | 'duplicates.notDismissed'} what */
export const failureOf = (what, reason) => t('failure', { what: t(what), why: t('reason.sentence', { reason }) })
