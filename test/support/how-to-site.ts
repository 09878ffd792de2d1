import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { blockOf, registerAppOf, settingsMissingIn, startSite, withAddresses } from './how-to-page.js'
import { freePort, type Stack } from './stack.js'

/** Debian's is not the first `python3` on every machine. */
const python = ['python3', '/usr/bin/python3'].find(program => {
  try {
    execFileSync(program, ['-c', 'import authlib.integrations.flask_client, flask, requests'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})

/** Where Debian has the modules of Apache. */
const MODULES = '/usr/lib/apache2/modules'

/** `skip` of a test of a site: what to install, else `false`. */
export const skip = {
  authlib: python === undefined
    ? 'No Python with Authlib, Flask and requests was found. Install them (Debian: apt-get install python3-authlib python3-flask python3-requests).'
    : false,
  apache: existsSync(`${MODULES}/mod_auth_openidc.so`)
    ? false
    : 'No Apache with mod_auth_openidc was found. Install them (Debian: apt-get install apache2-bin libapache2-mod-auth-openidc).'
}

/** Registers the app of the page about Authlib and starts it. Gives its origin. */
export async function startAuthlibSite (t: Test, stack: Stack, page: string): Promise<string> {
  const { origin, here, folder, secret } = await prepare(t, stack, page, 'authlib')
  await writeFile(join(folder, 'app.py'), here(blockOf(page, 'python')))
  const run = ['-m', 'flask', '--app', join(folder, 'app.py'), 'run', '--host', 'localhost', '--port', new URL(origin).port]
  await startSite(t, origin, [python!, ...run], { CLIENT_SECRET: secret, SECRET_KEY: 'signs the cookies of this test', PYTHONDONTWRITEBYTECODE: '1' })
  return origin
}

/** Registers the site of the page about Apache and starts it, as one ordinary process. Gives its origin. */
export async function startApacheSite (t: Test, stack: Stack, page: string): Promise<string> {
  const { origin, here, folder, secret } = await prepare(t, stack, page, 'mod_auth_openidc')
  const site = join(folder, 'site')
  await mkdir(join(site, 'members'), { recursive: true })
  await writeFile(join(site, 'index.html'), here(blockOf(page, 'html')))
  await writeFile(join(site, 'members/index.html'), here(blockOf(page, 'shtml')))
  const configuration = here(blockOf(page, 'apache').replaceAll('/srv/my-site', site))
    .replace('<as printed>', secret).replace('<a passphrase>', 'encrypts the cookies of this test')
  const names = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'dir', 'mime', 'filter', 'include', 'auth_openidc']
  const server = [
    `ServerRoot ${folder}`, 'PidFile apache.pid', 'DefaultRuntimeDir .', `Mutex file:${folder}`, 'ErrorLog error.log', 'TypesConfig /dev/null',
    // It does not serve as root.
    ...process.getuid?.() === 0 ? ['User "#65534"', 'Group "#65534"'] : []
  ]
  const lines = [...names.map(name => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`), ...server, configuration]
  await writeFile(join(folder, 'apache.conf'), lines.join('\n'))
  await startSite(t, origin, ['apache2', '-X', '-f', join(folder, 'apache.conf')], { PATH: `${process.env.PATH}:/usr/sbin` })
  return origin
}

/** A folder, a port, and the registered app of a page, which has the settings that are printed for its library. */
async function prepare (t: Test, stack: Stack, page: string, library: string) {
  const port = await freePort()
  const here = withAddresses(stack, [8080, port])
  const secret = await registerAppOf(stack, page, here)
  t.same(await settingsMissingIn(page, stack, here, library), [])
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-site-'))
  await chmod(folder, 0o755)
  t.teardown(() => rm(folder, { recursive: true }))
  return { origin: `http://localhost:${port}`, here, folder, secret }
}
