import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { createHash } from 'node:crypto'
import type { NewClient } from '../../src/stores/clients/client-row.js'
import { Browser, CALLBACK, client, query } from './helper.js'

/** A verifier of the smallest length, and its challenge (RFC 7636 §4). */
export const VERIFIER = 'v'.repeat(43)
export const CHALLENGE = challengeOf(VERIFIER)

export function challengeOf (verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/** A public client of the code grant with refresh tokens, with any changes. */
export const codeClient = (changes: Partial<NewClient> = {}): NewClient =>
  client({ implicit: 'off', grantTypes: ['authorization_code', 'refresh_token'], ...changes })

/** The query of a valid request for a code, with changes. */
export function codeQuery (changes: Record<string, string | undefined> = {}): string {
  return query({ response_type: 'code', code_challenge: CHALLENGE, code_challenge_method: 'S256', ...changes })
}

/** Where an answer leads. */
export function locationOf ({ statusCode, headers: { location }, body }: LightMyRequestResponse): URL {
  if (location === undefined) throw new Error(`A response with the status ${statusCode} has no Location: ${body}`)
  return new URL(String(location))
}

/** The query of an answer to the callback. */
export function queryOf (response: LightMyRequestResponse): Record<string, string> {
  return Object.fromEntries(locationOf(response).searchParams)
}

/** Signs Ann in and presses Allow; gives the code. */
export async function getCode (app: FastifyInstance, changes: Record<string, string | undefined> = {}): Promise<string> {
  return queryOf(await new Browser(app).allow(codeQuery(changes))).code ?? ''
}

/** The form that exchanges a code, with changes. */
export function exchangeForm (code: string, changes: Record<string, string | undefined> = {}): string {
  return form({ grant_type: 'authorization_code', client_id: 'app', code, redirect_uri: CALLBACK, code_verifier: VERIFIER, ...changes })
}

/** A form as it is sent. */
export function form (fields: Record<string, string | undefined>): string {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]]))
  ).toString()
}

/** Posts a form to an endpoint for clients. */
export async function post (
  app: FastifyInstance,
  url: string,
  payload: string,
  headers: Record<string, string> = {}
): Promise<LightMyRequestResponse> {
  return await app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } })
}
