import type { TestServer } from '@frontdesk/auth-server/testing'
import { decideOnDevice, userCodeIn } from '@frontdesk/test-kit/device-page'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { run } from './frontdesk-customer.js'

/** The commands of one person, and their folder. Erika is registered at the server. */
export async function person (t: Test, server: Pick<TestServer, 'issuer'>) {
  const home = await mkdtemp(join(tmpdir(), 'frontdesk-home-'))
  t.teardown(() => rm(home, { recursive: true }))
  const command = async (...args: string[]) => await run(args, { XDG_CONFIG_HOME: home })
  /** Signs in; Erika decides when the code is shown. */
  const login = async (decision: 'allow' | 'deny', ...args: string[]) => {
    let deciding: Promise<void> | undefined
    const ended = await run(['login', '--issuer', server.issuer, ...args], { XDG_CONFIG_HOME: home }, '', text => {
      const userCode = userCodeIn(text)
      if (userCode === undefined) return
      deciding = decideOnDevice(server.issuer, userCode, { decision, username: 'erika', password: 'correct horse battery staple' })
    })
    await deciding
    return ended
  }
  const file = join(home, 'frontdesk', 'customer.json')
  return {
    command,
    login,
    file,
    /** Time passes: the access token is about to end. */
    async wait () {
      await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), endsAt: Date.now() + 59_000 }))
    }
  }
}
