import { authServer } from '../../services/auth-server.js'

/** auth-server on SQLite, with production settings. */
export default authServer('sqlite')
