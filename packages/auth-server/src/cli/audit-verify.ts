import { command } from '@frontdesk/service-kit/cli/command'
import { wholeNumber } from '@frontdesk/service-kit/cli/option'
import type { verifySeals, VerifiedSeal } from '../admin/audit-verify.js'
import { loadConfig } from '../config.js'
import { readStores } from './with-stores.js'

type ReadPage = (after: number) => ReturnType<typeof verifySeals>

/** Seals on a page, and the highest seal number. */
const [PAGE_SIZE, MAX_SEAL] = [200, 999_999_999]
/** Maximum faults to print: with another key, every seal fails. */
const MAX_FAULTS = 20

/** Verifies all seals. */
export const verify = command('verify', {
  says: 'Verify that no sealed event was changed, added, removed or moved. Exits with 1 if a seal fails.',
  options: { '--after <seal>': { says: 'only seals after this one', parse: wholeNumber(MAX_SEAL), default: 0 } },
  json: 'the number of seals and events, the newest seal, and the seals that fail',
  run: async ({ after }) => await readStores(async stores => {
    const { verifySeals } = await import('../admin/audit-verify.js')
    const config = loadConfig()
    return await verifyAll(after, after => verifySeals(stores, config, { after, limit: PAGE_SIZE }))
  }),
  remote: async (api, { after }) => await verifyAll(after, after => api.get('/audit/seals', { after, limit: PAGE_SIZE })),
  text ({ seals, events, removed, newest, failed }) {
    if (failed.length > 0) return failed.map(({ fault }) => fault).join('\n')
    if (newest === null) return 'No events are sealed yet.'
    const since = removed === 0 ? '' : ` The server has since removed ${removed} of them.`
    const last = `The newest is seal ${newest.seal}, made at ${newest.sealedAt?.toISOString()}.`
    return `${seals === 1 ? 'One seal is' : `All ${seals} seals are`} valid, covering ${events} event${events === 1 ? '' : 's'}.${since} ${last}`
  },
  note: ({ failed }) => failed.length < MAX_FAULTS ? undefined : `Only the first ${MAX_FAULTS} faults are shown.`,
  exitCode: ({ failed }) => failed.length === 0 ? 0 : 1
})

/** Reads the pages, until there are {@link MAX_FAULTS}. */
async function verifyAll (after: number, readPage: ReadPage) {
  const failed: VerifiedSeal[] = []
  let [seals, events, removed] = [0, 0, 0]
  let newest: VerifiedSeal | null = null
  for (let next: string | null = `${after}`; next !== null && failed.length < MAX_FAULTS;) {
    const page: Awaited<ReturnType<ReadPage>> = await readPage(Number(next))
    for (const seal of page.items) {
      if (seal.fault !== null) failed.push(seal)
      seals++
      events += seal.rows
      removed += seal.removed
      newest = seal
    }
    next = page.next
  }
  return { seals, events, removed, newest, failed: failed.slice(0, MAX_FAULTS) }
}
