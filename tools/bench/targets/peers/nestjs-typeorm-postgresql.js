import { customerPeer } from './customers/peer.js'

/** NestJS 12 on Express, @nestjs/jwt and TypeORM 1 on PostgreSQL. */
export default customerPeer('nestjs-typeorm', 'postgresql')
