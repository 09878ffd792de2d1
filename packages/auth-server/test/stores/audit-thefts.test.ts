import t from 'tap'
import { findSealFault } from '../../src/admin/audit-verify.js'
import { onPostgresql } from '../support/database.js'
import { EVENT, openSealed, secrets } from '../support/stores/sealed.js'

export const onBothDatabases = true

const SEAL_COPY = 'first, last, rows, sum, sealed_at, previous, mac, removed, removed_sum, starts, state'

/** What a thief with the database does to rows 11 to 20, which seal 2 covers, or to seals; and what the verification says. */
const THEFTS: Record<string, [statements: string[], faults: string[]]> = {
  'changes an outcome': [["UPDATE audit SET outcome = 'done' WHERE position = 12"], ['Seal 2 fails: rows were changed.']],
  'changes a time': [["UPDATE audit SET at = '2020-01-01T00:00:00.000+00:00' WHERE position = 12"], ['Seal 2 fails: rows were changed.']],
  'changes details': [["UPDATE audit SET details = '{\"i\":2}' WHERE position = 12"], ['Seal 2 fails: rows were changed.']],
  'changes who it was': [["UPDATE audit SET user_id = 'ann' WHERE position = 12"], ['Seal 2 fails: rows were changed.']],
  'empties a column': [['UPDATE audit SET client_id = NULL WHERE position = 12'], ['Seal 2 fails: rows were changed.']],
  'changes when it is removed': [['UPDATE audit SET rank = 0 WHERE position = 12'], ['Seal 2 fails: rows were changed.']],
  'removes a row': [['DELETE FROM audit WHERE position = 12'], ['Seal 2 fails: it is missing 1 of its 10 rows.']],
  'removes all rows of a seal': [['DELETE FROM audit WHERE position BETWEEN 11 AND 20'], ['Seal 2 fails: it is missing 10 of its 10 rows.']],
  'adds a row': [
    [`INSERT INTO audit (id, ${EVENT}, position) SELECT 'new', ${EVENT}, position
      FROM audit WHERE position = 12`],
    ['Seal 2 fails: rows were added.']
  ],
  'replaces a row': [
    ['DELETE FROM audit WHERE position = 13', 'UPDATE audit SET position = 13 WHERE position = 5'],
    ['Seal 1 fails: it is missing 1 of its 10 rows.', 'Seal 2 fails: rows were changed.']
  ],
  'swaps two rows': [
    ['UPDATE audit SET position = 0 WHERE position = 12', 'UPDATE audit SET position = 12 WHERE position = 13', 'UPDATE audit SET position = 13 WHERE position = 0'],
    ['Seal 2 fails: rows were changed.']
  ],
  'adds a row before the first': [
    [`INSERT INTO audit (id, ${EVENT}, position) SELECT 'new', ${EVENT}, 0
      FROM audit WHERE position = 12`],
    ['Seal 1 fails: rows were added before it.']
  ],
  'changes the count of a seal': [['UPDATE audit_seal SET rows = 9 WHERE number = 2', 'DELETE FROM audit WHERE position = 12'], ['Seal 2 fails: it was changed, or made with another key.']],
  'says that the server removed a row': [['UPDATE audit_seal SET removed = 1 WHERE number = 2', 'DELETE FROM audit WHERE position = 12'], ['Seal 2 fails: it was changed, or made with another key.']],
  'removes a seal': [['DELETE FROM audit_seal WHERE number = 2'], ['Seal 2 is missing.']],
  'removes a seal and its rows': [['DELETE FROM audit_seal WHERE number = 2', 'DELETE FROM audit WHERE position BETWEEN 11 AND 20'], ['Seal 2 is missing.']],
  'removes the first seals and their rows': [['DELETE FROM audit_seal WHERE number <= 2', 'DELETE FROM audit WHERE position <= 20'], ['Seals 1 to 2 are missing.']],
  'says that the trail starts later': [
    ['DELETE FROM audit_seal WHERE number <= 2', 'DELETE FROM audit WHERE position <= 20', 'UPDATE audit_seal SET starts = true WHERE number = 3'],
    ['Seal 3 fails: it was changed, or made with another key.']
  ],
  'puts one seal in the place of another': [
    ['DELETE FROM audit_seal WHERE number = 2', `INSERT INTO audit_seal (number, ${SEAL_COPY}) SELECT 2, ${SEAL_COPY} FROM audit_seal WHERE number = 1`],
    ['Seal 2 fails: it was changed, or made with another key.', 'Seal 3 fails: it does not continue seal 2. One of the two was replaced.']
  ],
  // PostgreSQL refuses such values.
  ...!onPostgresql && Object.fromEntries(['first', 'rows', 'sum', 'sealed_at', 'starts', 'state'].map(column => [
    `puts a value of another type in ${column} of a seal`, [
      [`UPDATE audit_seal SET ${column} = x'00' WHERE number = 2`],
      ['Seal 2 fails: it was changed, or made with another key.', 'Seal 3 fails: it does not continue seal 2. One of the two was replaced.']
    ]
  ])),
  'removes the key': [['DELETE FROM audit_key'], [1, 2, 3].map(seal => `Seal ${seal} fails: it was changed, or made with another key.`)]
}

for (const [what, [statements, expected]] of Object.entries(THEFTS)) {
  t.test(`a thief with the database but without SECRET_KEY ${what}: the verification names the seal`, async t => {
    const { thief, fill, faults } = await openSealed(t)
    await fill()
    t.same(await faults(), [])
    for (const statement of statements) await thief.query(statement)
    t.same(await faults(), expected)
    t.same(await faults(1), expected, 'page by page too')
  })
}

if (!onPostgresql) {
  t.test('health names the newest seal if it has a value of another type', async t => {
    const { stores, thief, fill } = await openSealed(t)
    await fill()
    await thief.query("UPDATE audit_seal SET rows = 'ten' WHERE number = 3")
    const { newest } = await stores.auditSeals.state()
    t.equal((await findSealFault(stores, secrets, newest!))?.sentence, 'Seal 3 fails: it was changed, or made with another key.')
  })
}
