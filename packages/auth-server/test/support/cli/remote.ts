import { decideOnDevice, userCodeIn } from '@frontdesk/test-kit/device-page'
import { freePort } from '@frontdesk/test-kit/free-port'
import { join } from 'node:path'
import type { Test } from 'tap'
import { program, SCOPE } from '../../../src/cli/remote/program.js'
import { openStores } from '../../../src/stores/stores.js'
import { addUser } from '../admin/admin.js'
import { DEVICE_CODE, deviceClient } from '../device-flow.js'
import { start } from '../server-process.js'
import { folder, runBeside, type Run } from './frontdesk-auth.js'

const PASSWORD = 'correct horse'

/** A running server with the administration API, the administrator `root`, and the commands at another computer. */
export async function openServer (t: Test, more: Record<string, string> = {}) {
  const [directory, port] = [folder(t), await freePort()]
  const env = { DATABASE_URL: `file:${join(directory, 'auth.db')}`, ISSUER: `http://127.0.0.1:${port}` }
  const stores = await openStores(env.DATABASE_URL)
  t.teardown(() => stores.close())
  await addUser({ stores }, 'root', ['administrator'])
  await stores.clients.put(deviceClient({
    id: program.name, grantTypes: [DEVICE_CODE], allowedScope: SCOPE, defaultScope: SCOPE, registeredBy: 'operator'
  }))
  const { output, address } = await start(t, { ...env, PORT: `${port}`, HOST: '127.0.0.1', ADMIN: 'true', ...more })
  if (address === '') throw new Error(output())
  const home = join(directory, 'home')
  return {
    env,
    stores,
    output,
    issuer: env.ISSUER,
    /** The environment of a computer without the database. */
    laptop: { XDG_CONFIG_HOME: home },
    file: join(home, 'frontdesk', 'auth.json'),
    /** Signs in; the administrator decides when the code is shown. */
    async login (decision = 'allow'): Promise<Run> {
      let deciding: Promise<void> | undefined
      const ended = await runBeside(['login', '--server', env.ISSUER], { XDG_CONFIG_HOME: home }, text => {
        const userCode = userCodeIn(text)
        if (userCode !== undefined) deciding = decideOnDevice(env.ISSUER, userCode, { decision, username: 'root', password: PASSWORD })
      })
      await deciding
      return ended
    }
  }
}
