import { setImplicit } from '../../admin/clients.js'
import { readMigration, RECENT_WEEKS } from '../../admin/implicit-migration.js'
import { parsePolicy, whyNotFuture } from '../../admin/implicit-policy.js'
import { NOTICE_DAYS, usualEnd } from '../../admin/implicit-report.js'
import { Refusal } from '../../admin/refusal.js'
import { message } from '../../languages/translator.js'
import { single } from '../../oauth/parameters.js'
import { pathOfApp } from './apps.js'
import { action, page, textOf, type Visit } from './define.js'
import { chartOf } from './implicit-chart.js'
import { wordsOfPolicy } from './words.js'
import { explain } from './refusal.js'

/** An app's migration from the implicit grant to codes: its use, the steps, and a preview of the policy in the query. */
export const appImplicit = page('/apps/:id/implicit', { section: 'apps' }, async visit => {
  const { stores, config, params: { id }, now } = visit
  const { report, seen, endsAt, steps } = await readMigration(stores, id, config.callbackSchemes)
  const { lastUse, obstacles, hasCode } = report
  const chosen = chosenOf(visit)
  return {
    view: 'app-implicit',
    title: message('console.implicit.title-of', { name: report.name }),
    data: {
      path: pathOfApp(id),
      name: report.name,
      policy: wordsOfPolicy(report.policy),
      obstacles,
      canAllowCode: !hasCode && report.callbacks.length > 0,
      chart: chartOf(report.weeks, now),
      users: seen.users,
      isWhole: seen.isWhole,
      lastUse,
      lastCode: seen.lastCode,
      endsAt,
      steps,
      recentWeeks: RECENT_WEEKS,
      noticeDays: NOTICE_DAYS,
      chosen: chosen ?? { ...fieldsOf(report.policy, now), withCode: true },
      preview: chosen && preview(chosen.policy, hasCode || chosen.withCode, now)
    }
  }
})

/** The policy that was chosen in the form; `undefined` if none was. */
function chosenOf ({ query, now }: Pick<Visit, 'query' | 'now'>) {
  const [word, date, code] = ['policy', 'date', 'code'].map(name => single(query, name)?.trim())
  if (word === undefined) return undefined
  const policy = word === 'until' ? `until ${date ?? ''}` : word
  return { ...fieldsOf(policy, now), withCode: code === 'yes' }
}

/** A policy as the values of the form. */
function fieldsOf (policy: string, now: Date) {
  const [word, date = usualEnd(now).toISOString()] = policy.split(' ')
  return { policy, word, date: date.slice(0, 10) }
}

/** What a policy changes, or why it cannot be set. @param hasOther whether the app would have another grant */
function preview (policy: string, hasOther: boolean, now: Date) {
  try {
    const { implicit, implicitUntil } = parsePolicy(policy)
    const fault = whyNotFuture({ implicit, implicitUntil }, now)
    if (fault !== null) return { fault }
    const ends = implicit === 'off' || implicitUntil !== null
    return { implicit, until: implicitUntil, isStranded: ends && !hasOther }
  } catch (error) {
    // !: a refusal has a fault.
    if (error instanceof Refusal) return { fault: explain(error.faults[0]!) }
    throw error
  }
}

export const setImplicitAction = action('set-implicit', '/apps/:id/implicit', { page: appImplicit, right: 'manage' }, async visit => {
  const { stores, params: { id }, by } = visit
  await setImplicit(stores, id, { policy: textOf(visit, 'policy'), withCode: textOf(visit, 'code') === 'yes' }, by)
  return `${pathOfApp(id)}/implicit`
})
