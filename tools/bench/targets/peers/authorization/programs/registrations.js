import { generateKeyPairSync } from 'node:crypto'

/** The client, the user and the key of every peer. */
const { CLIENT, CALLBACK, SCOPE, AUDIENCE, PORT, URL } = process.env
export { AUDIENCE, CALLBACK, CLIENT, PORT, SCOPE, URL }
export const PERSON = 'person'
export const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
