/**
 * Renders what Prisma and the services want in several places from what is written once:
 * `<service>/*.prisma` → `<service>/<dialect>/schema.prisma` (committed), and
 * the programs in `../examples/` → `packages/customer-service/src/docs/generated/programs.ts` (not committed), and
 * `database/*.ts`, `settings/*.ts`, `cli/*.ts`, `../process/*.ts`, `../diagnosis/*.ts`, `../telemetry/*.ts` and `../cost/*.ts` → a generated folder of both services (not committed).
 * `node prisma/render.js --check` writes nothing and fails if a committed schema is stale.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { argv, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

const here = new URL('./', import.meta.url)

/** Prisma fixes the dialect when it generates: two schemas for each service. */
export const dialects = ['sqlite', 'postgresql']

/** Folder in `prisma/` → where the package keeps what is generated for it. */
export const services = {
  auth: new URL('../packages/auth-server/src/stores/prisma/generated/', here),
  customer: new URL('../packages/customer-service/src/stores/prisma/generated/', here)
}

const head = (dialect, output) => `// Rendered from ../models.prisma by \`npm run generate\`; edit that.

generator client {
  provider            = "prisma-client"
  output              = "${output}"
  importFileExtension = "js"
  compilerBuild       = "small"
  moduleFormat        = "esm"
}

datasource db {
  provider = "${dialect}"
}

`

/** The programs that the API reference shows, in this order, by their names in examples/. */
const programs = { curl: 'curl.sh', JavaScript: 'customers.mjs', Python: 'customers.py' }

/** @returns {{ file: URL, text: string, committed: boolean }[]} every rendered file */
export function rendered () {
  return [shownPrograms(), ...Object.entries(services).flatMap(([service, generated]) => [
    ...dialects.map(dialect => ({
      file: new URL(`${service}/${dialect}/schema.prisma`, here),
      text: head(dialect, relativeToSchema(generated, dialect)) + models(service),
      committed: true
    })),
    ...copy('prisma/database/', new URL('database/', generated)),
    ...copy('prisma/cli/', new URL('../../../cli/generated/', generated)),
    ...copy('prisma/settings/', new URL('../../../config/generated/', generated)),
    ...copy('process/', new URL('../../../plugins/generated/', generated)),
    ...copy('diagnosis/', new URL('../../../diagnosis/generated/', generated)),
    ...copy('telemetry/', new URL('../../../telemetry/generated/', generated)),
    ...copy('cost/', new URL('../../../../test/generated/', generated))
  ])]
}

/** A module with the text of each program that is there. */
function shownPrograms () {
  const shown = Object.entries(programs).map(([name, file]) => ({ name, file: `examples/${file}` })).filter(({ file }) => existsSync(new URL(`../${file}`, here)))
    .map(program => ({ ...program, text: read(new URL(`../${program.file}`, here)) }))
  return {
    file: new URL('../../../docs/generated/programs.ts', services.customer),
    text: '// Rendered from examples/ by `npm run generate`; edit those.\n' +
      '/** Programs that work with the register, as they are. */\n' +
      `export const programs: ReadonlyArray<{ name: string, file: string, text: string }> = ${JSON.stringify(shown, null, 2)}\n`,
    committed: false
  }
}

/** The models of a service: those of `models.prisma` and of the files beside it. */
function models (service) {
  const folder = new URL(`${service}/`, here)
  return readdirSync(folder).filter(name => name.endsWith('.prisma')).sort().map(name => read(new URL(name, folder))).join('\n')
}

function copy (folder, to) {
  const from = new URL(`../${folder}`, here)
  return readdirSync(from).map(name => ({
    file: new URL(name, to),
    text: `// Rendered from ${folder}${name} by \`npm run generate\`; edit that.\n` + read(new URL(name, from)),
    committed: false
  }))
}

function read (file) {
  return readFileSync(file, 'utf8')
}

function relativeToSchema (generated, dialect) {
  return generated.pathname.replace(new URL('../', here).pathname, '../../../') + dialect
}

/** Writes only what differs, so that the compiler sees no change where there is none. */
export function render () {
  for (const { file, text } of stale()) {
    mkdirSync(new URL('./', file), { recursive: true })
    writeFileSync(file, text)
  }
}

function stale () {
  return rendered().filter(({ file, text }) => {
    try {
      return read(file) !== text
    } catch {
      return true
    }
  })
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  if (!argv.includes('--check')) render()
  const old = stale().filter(({ committed }) => committed)
  for (const { file } of old) console.error(`${fileURLToPath(file)} is stale: run \`npm run generate\` and commit it.`)
  exit(old.length > 0 ? 1 : 0)
}
