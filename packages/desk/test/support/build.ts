import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
// What it adds to Fastify's types.
import type {} from '@frontdesk/service-kit/plugins/drain'
import app from '../../src/app.js'
import { loadConfig } from '../../src/config.js'
import { serverOptions } from '../../src/server-options.js'

/** The desk with settings of its own. */
export async function build (t: Test, env: Record<string, string> = {}): Promise<FastifyInstance> {
  const config = loadConfig({ LOG_LEVEL: 'silent', ...env })
  const fastify = Fastify(serverOptions(config))
  await fastify.register(app, { config })
  t.teardown(() => fastify.close())
  return fastify
}

/** Paths of the files that a page links, of a kind. */
export function linked (html: string, relation: 'stylesheet' | 'modulepreload' | 'icon'): string[] {
  return [...html.matchAll(new RegExp(`<link rel="${relation}" href="([^"]+)"`, 'g'))].map(([, path]) => path!)
}
