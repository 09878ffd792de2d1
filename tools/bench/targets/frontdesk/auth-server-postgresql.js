import { authServer } from '../../services/auth-server.js'

/** auth-server on PostgreSQL, with production settings. */
export default authServer('postgresql')
