import { dirname } from 'node:path'
import { command, type Define } from './command.js'

/** A running service. */
interface Running {
  readonly databaseUrl: string
  /** Its addresses, by what they serve. */
  readonly addresses: Readonly<Record<string, string>>
  readonly hint?: string | undefined
}

/** `serve`: runs a service in this process until a signal stops it. @param start resolves when the service listens */
export function serveCommand (service: string, start: () => Promise<Running>): Define {
  return command('serve', {
    says: `Start ${service}, until Ctrl-C.`,
    run: start,
    text: ({ databaseUrl, addresses, hint }) => `
Frontdesk is running.${databaseUrl.startsWith('file:') ? ` Data: ${dirname(databaseUrl.slice('file:'.length))}` : ''}

${Object.entries(addresses).map(([name, url]) => `  ${name.padEnd(18)}${url}`).join('\n')}
${hint === undefined ? '' : `\n${hint}\n`}
Ctrl-C stops it.
`,
    fields: ({ addresses }) => addresses
  })
}
