import { reportPage } from '../../admin/implicit-report.js'
import { single } from '../../oauth/parameters.js'
import { showTime } from '../account/account-page.js'
import { pathOfApp } from './apps.js'
import { page } from './define.js'
import { queryWith } from './words.js'

const PAGE_SIZE = 50

/** Weeks in the chart of an app. */
const MAX_WEEKS = 12

/** The apps that use the implicit grant or could, and whether they can move to a code. */
export const implicit = page('/implicit', { section: 'apps' }, async ({ stores, config, query }) => {
  const after = single(query, 'after')
  const { reports, hasMore } = await reportPage(stores, { after, limit: PAGE_SIZE }, config.callbackSchemes)
  return {
    view: 'implicit',
    title: 'Implicit grant',
    data: {
      isFirst: after === undefined,
      first: queryWith({}),
      next: hasMore ? queryWith({ after: reports.at(-1)?.clientId }) : undefined,
      apps: reports.map(({ weeks, lastUse, ...report }) => ({
        ...report, path: pathOfApp(report.clientId), lastUse: lastUse && showTime(lastUse), weeks: barsOf(weeks.slice(-MAX_WEEKS))
      }))
    }
  }
})

/** The bars of a chart: each with its height in percent. */
function barsOf (weeks: ReadonlyArray<{ readonly week: string, readonly uses: number }>) {
  const most = Math.max(1, ...weeks.map(({ uses }) => uses))
  return weeks.map(({ week, uses }) => ({ week, uses, height: Math.round(uses / most * 100) }))
}
