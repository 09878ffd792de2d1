import type { FastifyRequest } from 'fastify'
import { errors } from '../../oauth/errors.js'
import { MAX_PARAMETERS, type Parameters } from '../../oauth/parameters.js'

/** Parses `multipart/form-data` (RFC 7578). A file becomes a `data:` URL (RFC 2397). Omits empty texts and files. @throws OAuthError */
export async function parseUpload ({ headers }: FastifyRequest, body: Buffer): Promise<Parameters> {
  // Counted before they are parsed: a megabyte can have 19,000 parts, which would block the event loop.
  if (body.toString('latin1').split('\r\n--').length > MAX_PARAMETERS + 1) throw errors.invalidForm(`more than ${MAX_PARAMETERS} parts`)
  const response = new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } })
  const form = await response.formData().catch((cause: unknown) => {
    throw errors.invalidForm(`no valid multipart/form-data: ${cause instanceof Error ? cause.message : cause}`)
  })
  const fields: Parameters = {}
  for (const [name, value] of form) {
    const text = typeof value === 'string' ? value : await dataUrlOf(value)
    if (text.includes('\0')) throw errors.invalidForm('a NUL character')
    if (text !== '') fields[name] = [fields[name] ?? [], text].flat()
  }
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value?.length === 1 ? value[0] : value]))
}

async function dataUrlOf (file: File): Promise<string> {
  const content = Buffer.from(await file.arrayBuffer())
  return content.length === 0 ? '' : `data:${file.type};base64,${content.toString('base64')}`
}
