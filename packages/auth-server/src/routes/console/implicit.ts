import { reportPage } from '../../admin/implicit-report.js'
import { message } from '../../languages/translator.js'
import { single } from '../../oauth/parameters.js'
import { pathOfApp } from './apps.js'
import { page } from './define.js'
import { chartOf } from './implicit-chart.js'
import { queryWith, wordsOfPolicy } from './words.js'

const PAGE_SIZE = 50

/** The apps that use or can use the implicit grant. */
export const implicit = page('/implicit', { section: 'apps' }, async ({ stores, config, query, now }) => {
  const after = single(query, 'after')
  const { reports, hasMore } = await reportPage(stores, { after, limit: PAGE_SIZE }, config.callbackSchemes)
  return {
    view: 'implicit',
    title: message('console.implicit.title'),
    data: {
      isFirst: after === undefined,
      first: queryWith({}),
      next: hasMore ? queryWith({ after: reports.at(-1)?.clientId }) : undefined,
      apps: reports.map(({ clientId, name, policy, weeks, lastUse }) => ({
        name, policy: wordsOfPolicy(policy), path: pathOfApp(clientId), lastUse, chart: chartOf(weeks, now)
      }))
    }
  }
})
