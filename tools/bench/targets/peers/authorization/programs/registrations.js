import { generateKeyPairSync } from 'node:crypto'

/** The app and the person that every peer knows, and its key. */
const { CLIENT, CALLBACK, SCOPE, AUDIENCE, PORT, URL } = process.env
export { AUDIENCE, CALLBACK, CLIENT, PORT, SCOPE, URL }
export const PERSON = 'person'
export const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
