import { customerPeer } from './customers/peer.js'

/** Express 5, express-jwt and Sequelize 6 on SQLite. */
export default customerPeer('express-sequelize', 'sqlite')
