import type { TObject } from '@sinclair/typebox'

/** A setting as a service uses it. */
export interface EffectiveSetting {
  /** The environment variable. */
  readonly name: string
  readonly description: string
  /** Its value, with secrets masked; `null`: it has none. */
  readonly value: string | null
  readonly source: 'environment' | 'file' | 'default'
  /** The file that sets it, if one does. */
  readonly file: string | null
}

const MASK = '***'

/**
 * Describes valid settings, in the order of the schema.
 * @param files variables in files for this service, see `readEnvFiles`
 * @param computed defaults that depend on other settings
 */
export function describeSettings (
  { properties }: TObject, env: NodeJS.ProcessEnv, files: ReadonlyMap<string, string>, computed: Readonly<Record<string, unknown>> = {}
): EffectiveSetting[] {
  return Object.entries(properties).map(([name, { description = '', default: fixed, secret }]) => {
    const isSet = (env[name] ?? '') !== ''
    const value = isSet ? env[name] : computed[name] ?? fixed
    const file = isSet ? files.get(name) ?? null : null
    const shown = value === undefined || value === '' ? null : masked(String(value), secret)
    return { name, description, value: shown, source: file !== null ? 'file' : isSet ? 'environment' : 'default', file }
  })
}

function masked (text: string, secret: unknown): string {
  return secret === 'all' ? MASK : secret === 'in address' ? maskAddress(text) : text
}

/** Masks the password of an address, and the values in its query. */
function maskAddress (text: string): string {
  if (text.startsWith('file:')) return text
  if (!URL.canParse(text)) return MASK
  const url = new URL(text)
  // A password with a raw / ? or # is not where a parser looks for it.
  if (`${url.pathname}${url.search}${url.hash}`.includes('@')) return MASK
  if (url.password !== '') url.password = MASK
  for (const name of [...url.searchParams.keys()]) url.searchParams.set(name, MASK)
  return url.href
}
