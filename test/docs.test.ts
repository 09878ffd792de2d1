import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import ts from 'typescript'
import { filesBelow, read } from './support/sources.js'
import { root } from './support/stack.js'

const documents = filesBelow('.').filter(file => file.endsWith('.md'))

/** Commands of the README that are run elsewhere, and a piece of the file that runs them. */
const RUN_ELSEWHERE: Record<string, [file: string, piece: string]> = {
  'npm start': ['test/start.test.ts', "run('npm', ['start']"],
  'npm start -w packages/auth-server': ['test/start.test.ts', "'npm start -w packages/auth-server'"],
  'npm start -w packages/customer-service': ['test/start.test.ts', "'npm start -w packages/customer-service'"],
  'npm test': ['.ci/run', 'npm test'],
  'npm ci': ['.ci/run', 'npm ci'],
  'bash examples/curl.sh': ['test/e2e/examples.test.ts', "await run('bash', 'curl.sh', {"]
}

/** Programs of others that make a new project, by a name that they own. */
const SCAFFOLDS = ['npx @angular/cli@', 'npm create vite@']

/** What TypeBox holds of the settings of a service. */
interface Settings { properties: Record<string, { default?: string | number, description: string }> }

for (const name of ['auth-server', 'customer-service', 'desk']) {
  await t.test(`docs/settings.md has every setting of ${name}, with its default and its meaning`, async t => {
    // as: each of them exports these two under the same names.
    const { Settings, loadConfig } = await import(new URL(`packages/${name}/dist/src/config.js`, `file://${root}`).href) as {
      Settings: Settings
      loadConfig: (env: Record<string, string>) => object
    }
    const text = read('docs/settings.md')
    const section = text.split(`## ${name}\n`)[1]!.split(/^#/m)[0]!
    const defaults = new Map([...section.matchAll(/^\| `(\w+)` \| (.*?) \| .* \|$/gm)].map(([, name, value]) => [name!, value!]))
    const rows = Object.entries(Settings.properties).map(([name, { default: fixed, description }]) =>
      `| \`${name}\` | ${fixed === undefined ? defaults.get(name) ?? '–' : `\`${fixed}\``} | ${description} |\n`)
    const generated = section.replace(/(^\| `\w+` .*\n)+/m, () => rows.join(''))
    if (process.env.CONTRACTS === 'write') return await writeFile(join(root, 'docs/settings.md'), text.replace(section, () => generated))
    t.equal(section, generated, 'the table follows the schema; run npm run contracts')
    const made = JSON.stringify(loadConfig({ PORT: '4242' }))
    for (const [name, value] of defaults) {
      const told = /^`(.*)`$/.exec(value)?.[1]
      if (told !== undefined && Settings.properties[name]?.default === undefined) {
        t.match(made, `"${told.replace('PORT', '4242').replace('ISSUER', 'http://localhost:3000')}"`, name)
      }
    }
  })
}

await t.test('every path that a document names or links to exists', async t => {
  const missing = documents.flatMap(document => {
    const text = read(document)
    const links = [...text.matchAll(/\]\(([^)#:\s]+)(#[^)]*)?\)|^\[[^\]]+\]: (\S+)$/gm)]
      .map(([, link, , definition]) => link ?? definition!)
      .filter(link => !/^https?:/.test(link)).map(link => join(dirname(document), link))
    const named = [...text.matchAll(/(?<![@\w./-])(?:packages|test|docs|deploy|examples|scripts|prisma|\.ci)\/[\w./-]*\w/g)].map(([path]) => path)
    return [...links, ...named].filter(path => !existsSync(join(root, path))).map(path => `${document}: ${normalize(path)}`)
  })
  t.ok(documents.length > 5)
  t.same([...new Set(missing)], [])
})

await t.test('every source file that a decision, CONTRIBUTING or a list of tests names exists', async t => {
  const sources = filesBelow('packages').filter(file => file.endsWith('.ts'))
  const naming = documents.filter(file => /^(docs\/adr\/.*|docs\/fapi2\.md|CONTRIBUTING\.md|tools\/mutants\/survivors\.md)$/.test(file))
  const gone = naming.flatMap(document => [...read(document).matchAll(/`([\w-]+(?:\/[\w-]+)+\.(?:test\.)?ts)`|^### (\S+\.ts)$/gm)]
    .map(([, name, heading]) => name ?? heading!)
    .filter(name => !name.startsWith('generated/') && !existsSync(join(root, name)) && !sources.some(file => file.endsWith(`/${name}`)))
    .map(name => `${document}: ${name}`))
  t.ok(naming.length > 15)
  t.same(gone, [])
})

await t.test('docs/README.md lists every page once; incidents are listed by the operations page', async t => {
  const pages = filesBelow('docs').filter(file => file.endsWith('.md') && file !== 'README.md')
  const linksOf = (document: string) => [...read('docs', document).matchAll(/\]\(([^)#:\s]+\.md)\)/g)].map(([, link]) => link!)
  t.ok(pages.length > 50, `${pages.length} pages`)
  const isIncident = (file: string) => file.startsWith('operations/incidents/')
  t.same(linksOf('README.md').filter(link => !link.startsWith('../')).sort(), pages.filter(file => !isIncident(file)).sort())
  t.same(linksOf('operations.md').filter(isIncident).sort(), pages.filter(isIncident).sort())
})

await t.test('every npm script that a document names exists', async t => {
  const scripts = (folder: string) => Object.keys((JSON.parse(read(folder, 'package.json')) as { scripts: object }).scripts)
  for (const document of documents) {
    for (const [command, verb, script] of read(document).matchAll(/\bnpm (run|start|test) ?([\w-]*)[^`\n]*/g)) {
      const folder = / (?:-w|--workspace) (\S+)/.exec(command)?.[1] ?? '.'
      t.ok(scripts(folder).includes(verb === 'run' ? script! : verb!), `${document}: ${command}`)
    }
  }
})

await t.test('every documented command runs only what is installed, in a folder that its page names', async t => {
  const printed = filesBelow('packages').filter(file => /^[^/]+\/src\/.*\.(?:ts|js|eta)$/.test(file)).map(file => `packages/${file}`)
  const others = ['examples', 'deploy', 'scripts'].flatMap(folder => filesBelow(folder).map(file => `${folder}/${file}`))
    .filter(file => /\.(?:js|mjs|py|sh|ya?ml|bru)$/.test(file))
  let commands = 0
  for (const file of new Set([...documents, ...printed, ...others])) {
    const text = read(file)
    for (const [command] of text.matchAll(/\b(?:npx|npm (?:exec|x|init|create)|pnpx|bunx)\b.*/g)) {
      commands++
      // Outside the clone, npm would ask the registry for a name that anyone can take.
      if (!SCAFFOLDS.some(it => command.startsWith(it))) t.match(command, /^npx --no (?:frontdesk-(?:auth|customer)|ng|vite)\b/, `${file}: ${command}`)
    }
    if (file.endsWith('.md') && text.includes('npx ')) t.match(text, 'folder of the clone', file)
  }
  t.ok(commands > 100, `${commands} commands`)
})

await t.test('every command of the README is run, here or by another test', async t => {
  const dataDir = await mkdtemp(join(tmpdir(), 'frontdesk-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const text = read('README.md')
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block]) => block!.replaceAll('\\\n', ' ').trim().split('\n'))
  const inline = [...text.matchAll(/`((?:npm|npx|node|bash) [^`]+)`/g)].map(([, command]) => command!)
  const commands = [...new Set([...blocks, ...inline].map(command => command.replace(/\s+#.*/, '')))]
  t.ok(commands.length > 5)
  for (const command of commands) {
    const [file, piece] = RUN_ELSEWHERE[command] ?? []
    if (file !== undefined) {
      t.match(read(file), piece!, command)
      continue
    }
    if (!command.startsWith('npx --no frontdesk-auth ')) t.fail(`nothing runs: ${command}`)
    const env = { ...process.env, DATABASE_URL: `file:${join(dataDir, 'auth.db')}` }
    const running = promisify(execFile)('bash', ['-c', command], { cwd: root, env })
    running.child.stdin!.end('a password of many words\n')
    await t.resolves(running, command)
  }
})

await t.test('docs/interfaces.md proves every line with a test that there is', async t => {
  const document = 'docs/interfaces.md'
  const text = read(document)
  const files = new Map([...text.matchAll(/^\[([^\]]+)\]: (\S+)$/gm)].map(([, label, path]) => [label!, join(dirname(document), path!)]))
  const rows = [...text.matchAll(/^\| (?!The document|---)(.*) \|$/gm)].map(([, row]) => row!.split(/ \| ?/))
  t.ok(rows.length > 40)
  for (const [line, behaviour, proof] of rows) {
    const proofs = [...(proof ?? '').matchAll(/((?:"(?:\\.|[^"\\])+"(?:, )?)+) in \[([^\]]+)\]/g)]
    if (behaviour !== 'See there.') t.ok(proofs.length > 0, `${line} has a proof`)
    for (const [, names, label] of proofs) {
      const known = literalsOf(files.get(label!) ?? label!)
      for (const [, name] of names!.matchAll(/"((?:\\.|[^"\\])+)"/g)) {
        const wanted = name!.replaceAll('\\"', '"')
        if (!known.has(wanted)) t.fail(`${label} has no test "${wanted}"`)
      }
    }
  }
})

/** The texts in quotes of a TypeScript file; none if there is no such file. */
function literalsOf (file: string): Set<string> {
  const found = new Set<string>()
  const look = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.add(node.text)
    ts.forEachChild(node, look)
  }
  if (existsSync(join(root, file))) look(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest))
  return found
}
