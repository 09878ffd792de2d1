import { queryOf } from '@frontdesk/service-kit/path'
import type { FastifyRequest } from 'fastify'
import { parseQuery } from '../../customer/query.js'

/**
 * Hook of a write without parameters: `?dry_run=true`, which other operations have, must not change anything.
 * @throws ProblemError `query-invalid`
 */
export async function refuseParameters ({ url }: FastifyRequest): Promise<void> {
  parseQuery(queryOf(url), {})
}
