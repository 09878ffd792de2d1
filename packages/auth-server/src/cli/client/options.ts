import type { SigningAlg } from '@frontdesk/schemas/jwks'
import { Option, type Command } from 'commander'
import { TOKEN_TTL } from '../../lifetimes.js'
import type { Client } from '../../oauth/client.js'
import { DEVICE_CODE } from '../../oauth/device-grant.js'
import { MAX_LOGO } from '../../oauth/client-logo.js'
import { ID_TOKEN_ALGS } from '../../oauth/id-token-algs.js'
import type { Checked } from '../../registration/client-faults.js'
import { whyNotAllowedScope, whyNotKeyAddress, whyNotTtl } from '../../registration/client-rules.js'
import { DEFAULT_GRANT_TYPES, type GrantTypeOptions } from './grant-types.js'
import { findProfileFaults, type ProfileColumns } from './profile.js'
import { parsePolicy, type ImplicitPolicy } from './implicit-policy.js'
import type { SubjectType } from './subject-type.js'
import type { LogoOption } from './logo.js'
import { assertNone } from '@frontdesk/service-kit/cli/errors'
import { readSchemes } from '../database.js'
import { collect } from '../edit-list.js'
import { didYouMean } from '@frontdesk/service-kit/nearest'
import { quote } from '@frontdesk/service-kit/showable'

/** The options that describe an app. */
export interface ClientOptions extends GrantTypeOptions, LogoOption {
  readonly callback?: readonly string[]
  readonly postLogoutRedirectUri?: readonly string[]
  /** `false`: --no-resource. */
  readonly resource?: readonly string[] | false
  readonly defaultScope?: string
  readonly allowedScope?: string
  /** `false`: --no-access-token-ttl. */
  readonly accessTokenTtl?: string | false
  readonly idTokenAlg?: SigningAlg
  /** `false`: --no-id-token-claims. */
  readonly idTokenClaims?: boolean
  /** `false`: --no-userinfo-alg. */
  readonly userinfoAlg?: SigningAlg | false
  readonly subjectType?: SubjectType
  readonly sectorIdentifier?: string
  /** `false`: --no-require-par. */
  readonly requirePar?: boolean
  /** `false`: --no-require-dpop. */
  readonly requireDpop?: boolean
  /** `false`: --no-backchannel-logout-uri. */
  readonly backchannelLogoutUri?: string | false
  /** `false`: --no-backchannel-logout-session-required. */
  readonly backchannelLogoutSessionRequired?: boolean
  /** `false`: --no-native. */
  readonly native?: boolean
  /** `false`: --no-implicit. */
  readonly implicit?: ImplicitPolicy | false
}

/** Adds the options that describe an app. @param usual formats the default of an option */
export function takeClientOptions (command: Command, usual: (text: string) => string): Command {
  return command
    .option('--logo <file>', `its logo: PNG or WebP, at most ${MAX_LOGO} KB`)
    .option('--callback <uri>', 'redirect URI, compared byte for byte; repeatable', collect)
    .option('--post-logout-redirect-uri <uri>', 'where it may have the browser sent after sign-out; repeatable', collect)
    .option('--native', 'it runs on the user\'s device: loopback callbacks match with any port')
    .option(
      '--grant <grant>',
      'authorization_code, refresh_token, client_credentials, ' +
        `${DEVICE_CODE} or implicit; repeatable${usual(DEFAULT_GRANT_TYPES.join(', '))}`,
      collect
    )
    .option('--confidential', 'it can keep a secret, and gets one')
    .option(
      '--auth-method <method>',
      `how it authenticates at the token endpoint${usual('client_secret_basic if confidential, private_key_jwt with keys, else none')}`
    )
    .option('--jwks <file>', 'its public keys, a JWK Set: it signs assertions instead of using a secret')
    .option('--jwks-uri <uri>', 'where it publishes its public keys, instead of --jwks: https')
    .addOption(
      new Option('--pkce <policy>', `whether codes need PKCE; optional only for an app that authenticates${usual('required')}`)
        .choices(['required', 'optional'])
    )
    .option('--require-par', 'it must push its authorization requests (RFC 9126)')
    .option('--require-dpop', 'it must bind its access tokens to a key (DPoP, RFC 9449)')
    .addOption(new Option('--id-token-alg <alg>', `what signs its ID tokens${usual('RS256')}`).choices(ID_TOKEN_ALGS))
    .option('--id-token-claims', 'its ID tokens have name and email address if their scopes are granted')
    .option('--no-id-token-claims', 'only /userinfo has them')
    .addOption(new Option('--userinfo-alg <alg>', `algorithm that signs /userinfo responses${usual('nothing: JSON')}`).choices(ID_TOKEN_ALGS))
    .addOption(
      new Option('--subject-type <type>', `pairwise: apps of other sectors see another sub of the same person${usual('public')}`)
        .choices(['public', 'pairwise'])
    )
    .option('--sector-identifier <host>', `whose apps see the same pairwise sub${usual('the host of the callbacks')}`)
    .option('--backchannel-logout-uri <uri>', 'where it gets logout tokens when sessions end (OpenID Connect Back-Channel Logout)')
    .option('--backchannel-logout-session-required', 'it needs sid in logout tokens; all have one')
    .option('--default-scope <scope>', `scope of requests without one${usual('none')}`)
    .option('--allowed-scope <scope>', `scopes that it can request; *: any${usual('*')}`)
    .option('--resource <uri>', 'a resource it may request tokens for, in addition to the default audience; repeatable', collect)
    .option('--access-token-ttl <seconds>', `lifetime of its access tokens${usual('the server\'s')}`)
    .option('--implicit <policy>', `allowed, warn, "until <date>" or off${usual('allowed with --grant implicit, else off')}`, parsePolicy)
    .option('--no-implicit', 'same as --implicit off')
}

/**
 * Checks an app before it is written.
 * @param first errors to report before its own
 * @throws CommandError with every error
 */
export type ClientCheck = (
  client: Checked & ProfileColumns & Pick<Client, 'allowedScope'>,
  ttl: string | undefined,
  ...first: Array<string | null>
) => void

/** Loads the check of apps, with the settings that it depends on. */
export async function loadClientCheck (): Promise<ClientCheck> {
  const [{ findClientFaults }, schemes] = await Promise.all([import('../../registration/client-faults.js'), readSchemes()])
  return (client, ttl, ...first) => {
    const faults = findClientFaults(client, schemes, didYouMean).map(({ field, index, sentence }) =>
      index === undefined ? sentence : `${quote(String(client[field]?.[index]))}: ${sentence}`)
    const { allowedScope, defaultScope } = client
    const { jwksUri = null } = client
    const whyNot = [
      jwksUri === null ? null : whyNotKeyAddress(jwksUri),
      whyNotAllowedScope(allowedScope, defaultScope),
      ttl === undefined ? null : whyNotTtl(ttl, TOKEN_TTL)
    ]
    assertNone(...first, ...faults, ...whyNot, ...findProfileFaults(client))
  }
}
