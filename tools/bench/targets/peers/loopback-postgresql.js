import { customerPeer } from './customers/peer.js'

/** LoopBack 4, @loopback/authentication and its connector of PostgreSQL. */
export default customerPeer('loopback', 'postgresql')
