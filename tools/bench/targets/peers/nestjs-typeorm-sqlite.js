import { customerPeer } from './customers/peer.js'

/** NestJS 12 on Express, @nestjs/jwt and TypeORM 1 on SQLite by better-sqlite3. */
export default customerPeer('nestjs-typeorm', 'sqlite')
