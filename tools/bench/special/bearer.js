import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { pinned } from '../machine/cores.js'
import { digits, table } from '../report/table.js'
import { median } from '../rows.js'
import { inClone } from '../services/place.js'

/** Measures the check of a token, in a process that does nothing else. */
export default async function bearer (targets, subjects, { issuer, rounds, smoke }) {
  const tokens = Array.from({ length: smoke ? 100 : 2_000 }, () => issuer.token())
  const input = JSON.stringify({
    issuer: issuer.url,
    audience: issuer.audience,
    jwk: JSON.parse(readFileSync(issuer.keyFile, 'utf8')),
    tokens
  })
  const [file, args] = pinned([inClone('tools/bench/programs/bearer.js')])
  const all = Array.from({ length: rounds }, () => JSON.parse(execFileSync(file, args, { input, encoding: 'utf8' })))
  const [again, digest, first, signature] = ['again', 'digest', 'first', 'signature'].map(name => median(all.map(it => it[name])))
  console.log(
    table(
      'bearer: the check of a token in customer-service, alone in a process',
      ['token', 'CPU µs', 'at least', 'CPU µs of that'],
      [
        ['seen before', digits(again), 'one SHA-256', digits(digest)],
        ['first sight', digits(first), 'one signature check', digits(signature)]
      ]
    )
  )
  return [{ workload: 'bearer', target: 'customer-service', again, digest, first, signature }]
}
