// `npm run contracts`: writes what the services promise each other and their clients into contracts/ anew.
// A change that breaks clients of an API is refused, unless `-- --breaking` says that it is meant.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { bin, root } from './prepare.js'

const tests = ['auth-server', 'tokens', 'openapi'].map(name => join('test/dist/contract', `${name}.test.js`))
const breaking = process.argv.includes('--breaking') ? { BREAKING: 'yes' } : {}
const { status } = spawnSync(process.execPath, [bin('tap', 'tap'), ...tests], {
  cwd: root, stdio: 'inherit', env: { ...process.env, CONTRACTS: 'write', ...breaking }
})
process.exitCode = status ?? 1
