/**
 * Renders files that Prisma and the packages need in several places:
 * `<service>/*.prisma` → `<service>/<dialect>/schema.prisma` (committed), and `src/generated/tables.ts` of the service,
 * `<service>/<dialect>/migrations/` → `dist/migrations/` of the package that applies them, and
 * the programs in `../examples/` → `dist/src/docs/programs.json` of customer-service.
 * `node prisma/render.js --check` writes nothing and fails if a committed schema is stale.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { argv, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

const here = new URL('./', import.meta.url)

/** Prisma fixes the dialect when it generates: two schemas for each service. */
export const dialects = ['sqlite', 'postgresql']

/** Folder in `prisma/` → the package of that service. */
const packages = { auth: new URL('../packages/auth-server/', here), customer: new URL('../packages/customer-service/', here) }

/** Folder in `prisma/` → where the package keeps the clients that are generated for it. */
export const services = Object.fromEntries(
  Object.entries(packages).map(([service, folder]) => [service, new URL('src/generated/', folder)])
)

const head = (dialect, output) => `// Rendered from ../*.prisma by \`npm run generate\`; edit those.

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
    { file: new URL('tables.ts', generated), text: tables(models(service)), committed: false },
    ...dialects.flatMap(dialect => migrations(service, dialect))
  ])]
}

/** The text of each program that is there. */
function shownPrograms () {
  const shown = Object.entries(programs)
    .map(([name, file]) => ({ name, file: `examples/${file}` }))
    .filter(({ file }) => existsSync(new URL(`../${file}`, here)))
    .map(program => ({ ...program, text: read(new URL(`../${program.file}`, here)) }))
  return { file: new URL('dist/src/docs/programs.json', packages.customer), text: JSON.stringify(shown, null, 2) + '\n', committed: false }
}

/** The migrations of a service, where its package finds them. */
function migrations (service, dialect) {
  const from = new URL(`${service}/${dialect}/migrations/`, here)
  return readdirSync(from, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(({ name }) => ({
    file: new URL(`dist/migrations/${dialect}/${name}/migration.sql`, packages[service]),
    text: read(new URL(`${name}/migration.sql`, from)),
    committed: false
  }))
}

/** The models of a service: those of every `.prisma` file in its folder. */
function models (service) {
  const folder = new URL(`${service}/`, here)
  return readdirSync(folder).filter(name => name.endsWith('.prisma')).sort().map(name => read(new URL(name, folder))).join('\n')
}

/** Prisma's types of columns → those of statements. */
const kinds = { String: 'string', Int: 'int', BigInt: 'bigint', Boolean: 'boolean', DateTime: 'datetime' }

/** The tables of models for statements, with their comments. */
function tables (text) {
  const all = [...text.matchAll(/((?:^\/\/\/.*\n)*)^model (\w+) \{\n([^]*?)^\}/gm)].map(([, comment, model, body]) => {
    const fields = [...body.matchAll(/((?:^ {2}\/\/\/.*\n)*)^ {2}(\w+) +(\w+)(\??)(?: (.*))?$/gm)].filter(([, , , type]) => type in kinds)
    const [, name] = /@@map\("(\w+)"\)/.exec(body)
    const variable = model[0].toLowerCase() + model.slice(1)
    return `${asDoc(comment)}export const ${variable} = table('${name}', {\n${fields.map(columnOf).join(',\n')}\n})\n`
  })
  return `// Rendered from the models in prisma/ by \`npm run generate\`.\nimport { table } from '@frontdesk/database/table'\n\n${all.join('\n')}`
}

/** A field. The stores derive the name of its column, which is the same in snake case. */
function columnOf ([, comment, field, type, optional, attributes = '']) {
  const column = field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  const mapped = /(?<!@)@map\("(\w+)"\)/.exec(attributes)?.[1] ?? field
  if (mapped !== column) throw new Error(`Map the field ${field} to ${column}.`)
  return `${asDoc(comment)}  ${field}: '${kinds[type]}${optional}'`
}

function asDoc (comment) {
  const [indent] = /^ */.exec(comment)
  const lines = comment.split('\n').flatMap(line => line === '' ? [] : [line.replace(/^ *\/\/\/ ?/, '')])
  return lines.length === 0 ? '' : `${indent}/** ${lines.join(`\n${indent} * `)} */\n`
}

function read (file) {
  return readFileSync(file, 'utf8')
}

function relativeToSchema (generated, dialect) {
  return generated.pathname.replace(new URL('../', here).pathname, '../../../') + dialect
}

/** Writes only what differs, so that the compiler sees no change where there is none. Removes migrations that exist no more. */
export function render () {
  for (const folder of goneMigrations()) rmSync(folder, { recursive: true })
  for (const { file, text } of stale()) {
    mkdirSync(new URL('./', file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** Folders of migrations that a package would still apply. */
function goneMigrations () {
  return Object.entries(packages).flatMap(([service, home]) => dialects.flatMap(dialect => {
    const folder = new URL(`dist/migrations/${dialect}/`, home)
    const names = existsSync(folder) ? readdirSync(folder) : []
    return names.filter(name => !existsSync(new URL(`${service}/${dialect}/migrations/${name}/migration.sql`, here)))
      .map(name => new URL(name, folder))
  }))
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
