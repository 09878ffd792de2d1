import { customerService } from '../../services/customer-service.js'

/** customer-service on PostgreSQL, settings of production. */
export default customerService('postgresql')
