import { migrate } from '@frontdesk/database/migrate'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrationsOf, OPTIONS } from './database.js'
import type { Service } from './releases.js'
import type { Statement } from './statements.js'

/** What an invented next release does: its migration, and what it says to its database. */
interface Next { migration: string, statements: readonly Statement[] }

/** A table of each service that most of its statements touch, and a column in which rows of this release are the same. */
const TABLES: Record<Service, { table: string, column: string }> = {
  auth: { table: 'client', column: 'default_scope' },
  customer: { table: 'customer', column: 'name_key' }
}

/** It follows the rule for migrations: it adds a column, an index and a table, and writes them. */
export function createNext (service: Service): Next {
  const { table } = TABLES[service]
  return {
    migration: `ALTER TABLE "${table}" ADD COLUMN "note" TEXT;
      CREATE INDEX "${table}_note_idx" ON "${table}"("note");
      CREATE TABLE "noted" ("id" INTEGER NOT NULL PRIMARY KEY, "note" TEXT NOT NULL DEFAULT 'none')`,
    statements: [
      `UPDATE "${table}" SET "note" = 'next' WHERE "note" IS NULL`,
      'INSERT INTO "noted" ("id") SELECT COALESCE(MAX("id"), 0) + 1 FROM "noted"'
    ].map(sql => ({ sql, values: [] }))
  }
}

/** Migrations that break the rule, by what they do. */
export function badMigrations (service: Service): Record<string, string> {
  const { table, column } = TABLES[service]
  return {
    'renames a column': `ALTER TABLE "${table}" RENAME COLUMN "${column}" TO "renamed"`,
    'drops a table': 'DROP TABLE "lease"',
    'adds a unique key that rows of this version break': `CREATE UNIQUE INDEX "bad_key" ON "${table}"("${column}")`
  }
}

/** Starts an invented next version on a database: it applies its migration on top of those of this one. */
export async function startNext (url: string, service: Service, migration: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-next-'))
  try {
    await cp(migrationsOf(service), folder, { recursive: true })
    const added = join(folder, url.startsWith('file:') ? 'sqlite' : 'postgresql', '29990101000000_next')
    await mkdir(added)
    await writeFile(join(added, 'migration.sql'), migration)
    await migrate(url, new URL(`file://${folder}/`), OPTIONS)
  } finally {
    await rm(folder, { recursive: true })
  }
}
