import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The issuer's key, and required claims. */
export const key = createPublicKey({ key: JSON.parse(readFileSync(process.env.KEY_FILE, 'utf8')), format: 'jwk' })
export const issuer = process.env.ISSUER
export const audience = process.env.AUDIENCE
