/**
 * Renders what Prisma and the services want in several places from what is written once:
 * `<service>/models.prisma` → `<service>/<dialect>/schema.prisma` (committed), and
 * `database/*.ts`, `settings/*.ts`, `cli/*.ts`, `../process/*.ts`, `../diagnosis/*.ts`, `../telemetry/*.ts` and `../cost/*.ts` → a generated folder of both services (not committed).
 * `node prisma/render.js --check` writes nothing and fails if a committed schema is stale.
 */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
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

/** @returns {{ file: URL, text: string, committed: boolean }[]} every rendered file */
export function rendered () {
  return Object.entries(services).flatMap(([service, generated]) => [
    ...dialects.map(dialect => ({
      file: new URL(`${service}/${dialect}/schema.prisma`, here),
      text: head(dialect, relativeToSchema(generated, dialect)) + read(new URL(`${service}/models.prisma`, here)),
      committed: true
    })),
    ...copy('prisma/database/', new URL('database/', generated)),
    ...copy('prisma/cli/', new URL('../../../cli/generated/', generated)),
    ...copy('prisma/settings/', new URL('../../../config/generated/', generated)),
    ...copy('process/', new URL('../../../plugins/generated/', generated)),
    ...copy('diagnosis/', new URL('../../../diagnosis/generated/', generated)),
    ...copy('telemetry/', new URL('../../../telemetry/generated/', generated)),
    ...copy('cost/', new URL('../../../../test/generated/', generated))
  ])
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
