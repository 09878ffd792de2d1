import { authServer } from '../../services/auth-server.js'

/** auth-server on PostgreSQL, settings of production. */
export default authServer('postgresql')
