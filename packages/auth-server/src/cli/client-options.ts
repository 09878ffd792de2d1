import type { Command } from 'commander'
import { TOKEN_TTL } from '../config/lifetimes.js'
import type { Client } from '../oauth/client.js'
import { refuseCallback } from '../oauth/redirect-uri.js'
import type { GrantColumns, GrantOptions } from './client-grants.js'
import { refuseDefaultScope, refuseResource, refuseTtl } from './client-rules.js'
import { parseFuturePolicy, type ImplicitPolicy } from './implicit-policy.js'
import { refuseFor } from './refusal.js'
import { quote, refuseName } from './text.js'

/** What an app is, as it was asked for. */
export interface ClientOptions extends GrantOptions {
  readonly callback?: readonly string[]
  /** `false`: --no-resource. */
  readonly resource?: readonly string[] | false
  readonly defaultScope?: string
  /** `false`: --no-access-token-ttl. */
  readonly accessTokenTtl?: string | false
  /** `false`: --no-native. */
  readonly native?: boolean
  /** `false`: --no-implicit. */
  readonly implicit?: ImplicitPolicy | false
}

/** The columns that are checked before an app is written. */
type Checked = Pick<Client, 'name' | 'callbacks' | 'resources' | 'defaultScope'> & GrantColumns

/** Adds the options that say what an app is. @param usual says what it is without the option, if that is to be said */
export function takeClientOptions (command: Command, usual: (text: string) => string): Command {
  return command
    .option('--callback <uri>', 'where answers may go, byte for byte; repeat it for more', collect)
    .option('--native', 'it runs on somebody\'s machine: loopback callbacks match with any port')
    .option('--grant <grant>', `a grant that it may use, such as authorization_code; repeat it for more${usual('implicit')}`, collect)
    .option('--confidential', 'it can keep a secret, and gets one')
    .option('--auth-method <method>', `how it authenticates${usual('client_secret_basic if confidential, private_key_jwt with --jwks, else none')}`)
    .option('--jwks <file>', 'its public keys, a JWK Set: it signs instead of having a secret')
    .option('--default-scope <scope>', `scope of a request that names none${usual('none')}`)
    .option('--resource <uri>', 'a resource it may ask tokens for, beside the server\'s default; repeat it for more', collect)
    .option('--access-token-ttl <seconds>', `lifetime of its access tokens${usual('the server\'s')}`)
    .option('--implicit <policy>', `whether it may use the implicit grant: allowed, warn, "until <date>" or off${usual('allowed')}`, parseFuturePolicy)
    .option('--no-implicit', 'the same as --implicit off')
}

function collect (value: string, before: readonly string[] | boolean = []): string[] {
  return [...typeof before === 'boolean' ? [] : before, value]
}

/**
 * Checks what an app is to be.
 * @param first what is wrong beside it
 * @throws Refusal with all that is wrong
 */
export async function checkClient ({ name, callbacks, resources, defaultScope, grantTypes, tokenEndpointAuthMethod, jwks }: Checked, ttl: string | undefined, ...first: Array<string | undefined>): Promise<void> {
  const { refuseGrants } = await import('./refuse-grants.js')
  refuseFor(
    ...first,
    refuseName('name', name),
    ...each(callbacks, refuseCallback),
    refuseDefaultScope(defaultScope),
    ...each(resources, refuseResource),
    ttl === undefined ? undefined : refuseTtl(ttl, TOKEN_TTL),
    ...refuseGrants({ grantTypes, tokenEndpointAuthMethod, jwks })
  )
}

function each (uris: readonly string[], refuse: (uri: string) => string | undefined) {
  return uris.map(uri => {
    const reason = refuse(uri)
    return reason && `${quote(uri)}: ${reason}`
  })
}
