// `npm run contracts`: writes what the services promise each other and their clients into contracts/, and the answers that
// customer-service shows in documentation.
// A change that breaks clients of an API is refused, unless `-- --breaking` says that it is meant.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { bin, root } from './prepare.js'

const contracts = ['auth-server', 'tokens', 'openapi'].map(name => join('test/dist/contract', `${name}.test.js`))
const answers = ['problems/examples', 'jax-rs/jax-rs'].map(name => join('packages/customer-service/dist/test', `${name}.test.js`))
const breaking = process.argv.includes('--breaking') ? { BREAKING: 'yes' } : {}
const { status } = spawnSync(process.execPath, [bin('tap', 'tap'), ...contracts, ...answers], {
  cwd: root, stdio: 'inherit', env: { ...process.env, CONTRACTS: 'write', ...breaking }
})
process.exitCode = status ?? 1
