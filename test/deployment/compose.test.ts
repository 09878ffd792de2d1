import t from 'tap'
import { parse } from 'yaml'
import { read } from '../support/sources.js'
import { services, settingsOf } from '../support/deployment/settings.js'

const FILES = ['docker-compose.yml', 'deploy/compose/production.yml']

/** What the tests look at in a compose file. */
interface Compose {
  services: Record<string, {
    environment?: Record<string, string>
    user?: string
    read_only?: boolean
    image?: string
    build?: string | { dockerfile: string }
  }>
}

/** YAML with Compose's own tag for what replaces a list. */
function load (file: string): Compose {
  // as: `docker compose config` in the smoke test is what checks the shape.
  return parse(read(file), { merge: true, customTags: [{ tag: '!override', collection: 'seq' }] }) as Compose
}

/** The lines of a stage of the Dockerfile, and of those that it is made from. */
function stage (name: string): string[] {
  const [, parent, text] = new RegExp(`^FROM (\\S+) AS ${name}\n([^]*?)(?=\n^FROM )`, 'm').exec(read('deploy/Dockerfile'))!
  return [...(parent!.includes(':') ? [] : stage(parent!)), ...text!.split('\n')]
}

for (const service of services) {
  await t.test(`every variable that the compose files and the image give ${service} is a setting of it`, async t => {
    const settings = await settingsOf(service)
    const image = stage(service).flatMap(line => /^ENV (.*)$/.exec(line)?.[1]?.split(' ') ?? []).map(it => it.split('=')[0]!)
    for (const names of [image, ...FILES.map(file => Object.keys(load(file).services[service]?.environment ?? {}))]) {
      t.ok(names.length > 0)
      t.same(names.filter(name => !settings.includes(name)), [])
    }
  })
}

await t.test('CORS_ORIGINS of the environment adds to the desk, in development and in production', async t => {
  const [development, production] = FILES.map(file => load(file).services['customer-service']?.environment?.CORS_ORIGINS)
  t.match(development, /^http:\/\/localhost:\$\{DESK_PORT:-3002\},\$\{CORS_ORIGINS:-\}$/)
  t.match(production, /^\$\{DESK_URL\},\$\{CORS_ORIGINS:-\}$/)
})

await t.test('.env.example has every variable of the compose files, and no other', async t => {
  const used = FILES.flatMap(file => [...read(file).replace(/^ *#.*$/gm, '').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!))
  const told = [...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name!)
  t.ok(told.length > 5)
  t.same(told.toSorted(), [...new Set(used), 'COMPOSE_FILE'].sort())
})

await t.test('.env.example is for development, and has no secret to forget', async t => {
  const set = read('.env.example').split('\n').filter(line => /^\w+=/.test(line))
  t.same(set, ['SECRET_KEY='])
})

await t.test('the images are built from the manifests of every package, so that npm finds what package-lock.json says', async t => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, object> }
  const workspaces = Object.keys(packages).filter(path => path !== '' && !path.includes('node_modules'))
  t.ok(workspaces.length >= 4)
  const manifests = stage('manifests')
  for (const path of workspaces) t.ok(manifests.includes(`COPY ${path}/package.json ${path}/`), path)
})
