import { customerPeer } from './customers/peer.js'
import { loadPrismaTable } from './customers/prisma-table.js'

/** Fastify, @fastify/jwt and Prisma 7 on PostgreSQL, one query a request; with the client and the table of customer-service. */
export default customerPeer('fastify-prisma', 'postgresql', { prepare: loadPrismaTable })
