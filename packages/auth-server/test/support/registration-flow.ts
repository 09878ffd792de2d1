import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { CALLBACK } from './helper.js'

/** Metadata of a public app. */
export const METADATA = { client_name: 'Notes', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }

/** Sends JSON with a bearer token, if there are any. */
export async function send (
  app: FastifyInstance,
  method: 'POST' | 'GET' | 'PUT' | 'DELETE',
  url: string,
  payload?: unknown,
  token?: string,
  more: InjectOptions = {}
): Promise<LightMyRequestResponse> {
  const headers = {
    ...(payload !== undefined && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...more.headers
  }
  return await app.inject({ method, url, ...(payload !== undefined && { payload: JSON.stringify(payload) }), ...more, headers })
}

/** Registers an app. */
export async function register (
  app: FastifyInstance,
  payload: unknown = METADATA,
  token?: string,
  more?: InjectOptions
): Promise<LightMyRequestResponse> {
  return await send(app, 'POST', '/register', payload, token, more)
}

/** The path of a registration. */
export function pathOf (answer: LightMyRequestResponse): string {
  return new URL(answer.json().registration_client_uri).pathname
}
