import { authServer } from '../../services/auth-server.js'

/** auth-server on SQLite, settings of production. */
export default authServer('sqlite')
